"""The law of docs/spec/editors.md, section 1: what the linter finds wrong in shape and type, the schema rejects, and it
accepts all else. Documents are made at random of right ones."""

import copy
import json
import random
import subprocess
from pathlib import Path

import jsonschema

ASSOCIATION = {"not-an-object", "wrong-type", "missing-app-id", "missing-service-apps", "nested-service", "misplaced-key",
               "non-string-query-value"}
# Errors that are reported in place of another one: of a key that stands for the right one, of what its absence does, of a number.
INSTEAD = {"misspelt-key", "accidental-catch-all", "invalid-include", "invalid-site"}
STATEMENTS = {"no-statement-list", "statement-not-an-object", "incomplete-statement", "number-in-statement", "invalid-target",
              "invalid-relation", "invalid-package-name", "invalid-fingerprint", "dynamic-rules-discarded"}
APP = "7K3QWZ9PLM.com.shop.app"
COLONS = ":".join(f"{number:02X}" for number in range(32))

ASSOCIATIONS = [
    {"applinks": {"details": [{"appIDs": [APP], "components": [
        {"/": "/buy/*", "?": {"item": "?*"}, "#": "top", "exclude": True, "comment": "x", "caseSensitive": False},
        {"/": "/$(lang)/*", "percentEncoded": False}]}],
        "defaults": {"caseSensitive": False}, "substitutionVariables": {"lang": ["en", "de"]}}},
    {"applinks": {"apps": [], "details": [{"appID": APP, "paths": ["/buy/*", "NOT /help/*"], "defaults": {"/": "/x"}}]},
     "webcredentials": {"apps": [APP]}, "appclips": {"apps": [APP]}, "activitycontinuation": {"apps": [APP]}},
    {"applinks": {"apps": [], "details": {APP: {"paths": ["/buy/*"]}, "_note": "x"}}},
    {"applinks": {"details": [{"appIDs": [APP], "paths": ["/x"], "components": [{"/": "/x", "?": "a=*"}]}]}},
    {"applinks": {"details": [{APP: {"paths": ["/x"]}}]}},
    {"webcredentials": {"apps": [APP]}, "authsrv": {"apps": [APP]}, "comment": "x"},
]
LISTS = [
    [{"relation": ["delegate_permission/common.handle_all_urls"],
      "target": {"namespace": "android_app", "package_name": "com.shop.app", "sha256_cert_fingerprints": [COLONS]},
      "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [
          {"/": "/buy/*", "?": {"item": "*"}, "#": "top", "comments": "x"}, {"/": "*", "exclude": True}]}}}],
    [{"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web", "site": "https://shop.example"}},
     {"include": "https://shop.example/statements.json"}, {"include": ""}],
]
KEYS = {
    "association": ["applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv", "apps", "details", "defaults",
                    "substitutionVariables", "appID", "appIDs", "paths", "components", "/", "?", "#", "exclude", "comment",
                    "Notes", "_x", "//", "caseSensitive", "percentEncoded", "other", APP],
    "assetlinks": ["relation", "target", "include", "relation_extensions", "namespace", "package_name", "site",
                   "sha256_cert_fingerprints", "dynamic_app_link_components", "/", "?", "#", "exclude", "comment", "other",
                   "delegate_permission/common.handle_all_urls"],
}
VALUES = [None, True, False, 0, 1.5, "", "x", "/buy/*", APP, "com.shop.app", COLONS, COLONS.lower(), "web", "android_app", [], {},
          ["x"], [APP], [True], [0], [{}], [[]], {"x": "y"}, {"/": "/x"}, {"x": 0}, {"paths": ["/x"]}, {"apps": []}]


def places(node, found):
    """All objects and arrays of a document."""
    if isinstance(node, (dict, list)):
        found.append(node)
        for value in node.values() if isinstance(node, dict) else node:
            places(value, found)
    return found


def mutated(base, keys, generator):
    document = copy.deepcopy(base)
    for _ in range(generator.choice([0, 1, 1, 1, 2, 2, 3, 5])):
        if generator.random() < 0.02:
            document = copy.deepcopy(generator.choice(VALUES))
        nodes = places(document, [])
        if not nodes:
            break
        node = generator.choice(nodes)
        value = copy.deepcopy(generator.choice(VALUES))
        if isinstance(node, list):
            index = generator.randrange(len(node) + 1)
            if index < len(node) and generator.random() < 0.3:
                del node[index]
            elif index < len(node) and generator.random() < 0.7:
                node[index] = value
            else:
                node.insert(index, value)
            continue
        kind = generator.randrange(4)
        own = generator.choice(list(node)) if node else None
        if kind == 0 and own is not None:
            node[own] = value
        elif kind == 1 and own is not None:
            moved = node.pop(own)
            other = generator.choice([one for one in nodes if isinstance(one, dict)])
            other[generator.choice(keys)] = moved if not contains(moved, other) else value
        elif kind == 2 and own is not None:
            del node[own]
        else:
            node[generator.choice(keys)] = value
    return document


def contains(node, other):
    return any(one is other for one in places(node, []))


def findings(program, documents, name, folder):
    """The codes of each document, by the built program."""
    for number, document in enumerate(documents):
        path = folder / str(number)
        path.mkdir(exist_ok=True)
        (path / name).write_text(json.dumps(document))
    paths = [str(folder / str(number) / name) for number in range(len(documents))]
    output = subprocess.run([program, "validate", "--format", "json", *paths], stdout=subprocess.PIPE).stdout
    codes = {path: set() for path in paths}
    for finding in json.loads(output)["diagnostics"]:
        codes[finding["path"]].add(finding["code"])
    return [codes[path] for path in paths]


def law(program, kind, name, bases, wanted, count, seed, folder):
    text = subprocess.run([program, "schema", kind], stdout=subprocess.PIPE, check=True).stdout.decode()
    schema = json.loads(text)
    validators = []
    for dialect, validator in [("draft-07", jsonschema.Draft7Validator), ("2020-12", jsonschema.Draft202012Validator)]:
        own = dict(schema)
        if dialect == "2020-12":
            own["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        validator.check_schema(own)
        validators.append((dialect, validator(own)))
    generator = random.Random(seed)
    counts = {True: 0, False: 0}
    keys = KEYS["association" if kind == "aasa" else "assetlinks"]
    for start in range(0, count, 1000):
        documents = [mutated(generator.choice(bases), keys, generator) for _ in range(min(1000, count - start))]
        for document, codes in zip(documents, findings(program, documents, name, folder)):
            for dialect, validator in validators:
                accepted = validator.is_valid(document)
                if codes & wanted and accepted:
                    raise AssertionError(f"{kind}, {dialect}, seed {seed}: accepted in spite of {codes & wanted}: {json.dumps(document)}")
                if not codes & (wanted | INSTEAD) and not accepted:
                    raise AssertionError(f"{kind}, {dialect}, seed {seed}: rejected without a reason: {json.dumps(document)}")
            counts[bool(codes & wanted)] += 1
    assert min(counts.values()) > count // 10, counts
    return f"{kind}: {count} documents, {counts[True]} rejected"


def described(schema):
    """Properties without words for people."""
    missing = []

    def walk(node, path):
        if isinstance(node, list):
            for index, value in enumerate(node):
                walk(value, f"{path}/{index}")
        if not isinstance(node, dict):
            return
        for key, value in node.get("properties", {}).items():
            if isinstance(value, dict) and value and not {"description", "title"} & set(value):
                missing.append(f"{path}/properties/{key}")
        for key, value in node.items():
            # A condition is no value of anybody's.
            if key != "if":
                walk(value, f"{path}/{key}")

    walk(schema, "")
    return missing
