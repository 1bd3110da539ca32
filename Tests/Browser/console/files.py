"""The files that are shown."""
import os

SHOP = """{
  "applinks": {
    "details": [
      {
        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
        "components": [
          { "/": "/help/*", "exclude": true, "comment": "help stays on the web" },
          { "/": "/buy/*" },
          { "/": "/buy/gift-cards", "exclude": true }
        ]
      }
    ]
  }
}
"""
FINGERPRINT = "5A:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
STATEMENT = """[
  {
    "relation": ["delegate_permission/common.handle_all_urls"],
    "target": {
      "namespace": "android_app",
      "package_name": "com.shop.app",
      "sha256_cert_fingerprints": ["%s"]
    }RULES
  }
]
""" % FINGERPRINT
LINKS = STATEMENT.replace("RULES", """,
    "relation_extensions": {
      "delegate_permission/common.handle_all_urls": {
        "dynamic_app_link_components": [
          { "/": "/help/*", "exclude": true },
          { "/": "/buy/*" }
        ]
      }
    }""")
MANIFEST = """<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app">
  <application>
    <activity android:name=".Main" android:exported="true">
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.BROWSABLE" />
        <data android:scheme="https" android:host="https://shop.example" />
      </intent-filter>
    </activity>
  </application>
</manifest>
"""
HOSTILE = "</textarea></title><script>pwned()</script><img src=x onerror=pwned()>\"'`{{7*7}}${7*7}\u202e\u2066javascript:pwned()"


def write_files(folder):
    """Writes the files that are shown, and returns their names."""
    def write(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
        return name

    hostile = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    text = ('{"applinks": {"details": [{"appIDs": ["%s", "7K3QWZ9PLM.com.shop.app"], "%s": 1,\n"components": [{"/": "%s", "comment": "%s"},'
            '{"/": "/a/*", "?": {"%s": "%s"}}]}]}}\n\0\x07' % ((hostile,) * 6)).encode()
    long = ('{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "/' + "a" * 100000
            + '"}]}]}}').encode()
    return [write("apple-app-site-association", SHOP.encode()), write("hostile.json", text), write("long.json", long),
            write("utf16.json", SHOP.encode("utf-16")), write("lines.json", ("\n" * 3000 + SHOP).encode()),
            write("<b onclick=pwned()>'\"&.json", SHOP.encode()), write("assetlinks.json", LINKS.encode()),
            write("AndroidManifest.xml", MANIFEST.encode())]
