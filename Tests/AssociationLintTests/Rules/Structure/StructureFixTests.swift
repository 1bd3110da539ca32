import AssociationLint
import Diagnostics
import Testing

@Suite("Structure: fixes")
struct StructureFixTests {
    struct Case: CustomTestStringConvertible {
        let code: String
        let text: String
        let fixed: String?

        init(_ code: String, _ text: String, _ fixed: String?) {
            self.code = code
            self.text = text
            self.fixed = fixed
        }

        var testDescription: String { "\(code): \(text)" }
    }

    private static let keys = [
        Case("misspelt-key", #"{"webCredentials":{"apps":[@]}}"#, #"{"webcredentials":{"apps":[@]}}"#),
        Case("misspelt-key", #"{"webcredentials":{"apps":[@],"Apps":[@a]}}"#, #"{"webcredentials":{"apps":[@]}}"#),
        Case("misspelt-key", #"{"webcredentials":{"Apps":[@a],"apps":[@]}}"#, #"{"webcredentials":{"apps":[@]}}"#),
        Case(
            "misspelt-key", "{\"appclips\": {\n  \"app\": [],\n  \"apps\": [@]\n}}",
            "{\"appclips\": {\n  \"apps\": [@]\n}}"),
        Case(
            "misspelt-key", "{\r\n\t\"app\\u0063lip\": {\"apps\": []}\r\n}", "{\r\n\t\"appclips\": {\"apps\": []}\r\n}"),
        Case(
            "nested-service", #"{"applinks":{"details":[],"appclips":{"apps":[@]}}}"#,
            #"{"applinks":{"details":[]},"appclips":{"apps":[@]}}"#),
        Case(
            "nested-service",
            "{\n  \"applinks\": {\n    \"appclips\": {\n      \"apps\": [@]\n    },\n    \"details\": []\n  }\n}\n",
            "{\n  \"applinks\": {\n    \"details\": []\n  },\n  \"appclips\": {\n    \"apps\": [@]\n  }\n}\n"),
        Case(
            "nested-service",
            "{\n\t\"applinks\": {\n\t\t\"appclips\": {\"apps\": [@]},\n    \"details\": []\n\t}\n}\n",
            "{\n\t\"applinks\": {\n    \"details\": []\n\t},\n\t\"appclips\": {\"apps\": [@]}\n}\n"),
        Case(
            "nested-service",
            "{\r\n\t\"applinks\": {\r\n\t\t\"appclips\": {\r\n\t\t\t\"apps\": [@]\r\n\t\t}\r\n\t}\r\n}",
            "{\r\n\t\"applinks\": {},\r\n\t\"appclips\": {\r\n\t\t\"apps\": [@]\r\n\t}\r\n}"),
        Case(
            "nested-service", #"{"applinks": {"applinks": {"details": []}}}"#, #"{"applinks": {"details": []}}"#),
        Case(
            "nested-service", #"{"appclips": {"apps": []}, "applinks": {"details": [], "appclips": {}}}"#,
            #"{"appclips": {"apps": []}, "applinks": {"details": []}}"#),
        Case("misplaced-key", #"{"webcredentials": {"appIDs": [@]}}"#, #"{"webcredentials": {"apps": [@]}}"#),
        Case("misplaced-key", #"{"details": []}"#, #"{"applinks": { "details": [] }}"#),
        Case(
            "misplaced-key", #"{"applinks": {"components": []}}"#,
            #"{"applinks": {"details": [{ "appIDs": ["ABCDE12345.com.example.app"], "components": [] }]}}"#),
        Case(
            "accidental-catch-all", StructureFile.components(#"{"pattern": "/a"}"#),
            StructureFile.components(#"{"/": "/a"}"#)),
        Case(
            "accidental-catch-all", StructureFile.components(#"{"pattern": "a=*&b=*"}"#),
            StructureFile.components(#"{"?": "a=*&b=*"}"#)),
        Case(
            "accidental-catch-all", StructureFile.components(##"{"anchor": "#a"}"##),
            StructureFile.components(##"{"#": "#a"}"##)),
        Case("accidental-catch-all", StructureFile.components(#"{"weight": 1}"#), nil),
        Case(
            "accidental-catch-all", StructureFile.components(#"{"paths": ["/a", "NOT /b"]}"#),
            StructureFile.components(#"{ "/": "/a" }, { "/": "/b", "exclude": true }"#)),
        Case(
            "accidental-catch-all", StructureFile.components(#"{"paths": "/a", "exclude": true}"#),
            StructureFile.components(#"{"/": "/a", "exclude": true}"#)),
        Case("accidental-catch-all", StructureFile.components(#"{"paths": ["/a"], "exclude": true}"#), nil),
        Case(
            "empty-component", StructureFile.components(#"{}, {"/": "/a"}"#),
            StructureFile.components(#"{"/": "*"}, {"/": "/a"}"#)),
        Case(
            "empty-component", StructureFile.components("{\n  \"exclude\": true\n}, {\"/\": \"/a\"}"),
            StructureFile.components("{\n  \"/\": \"*\",\n  \"exclude\": true\n}, {\"/\": \"/a\"}")),
    ]

    private static let values = [
        Case("wrong-type", #"{"appclips": {"apps": @}}"#, #"{"appclips": {"apps": [@]}}"#),
        Case("wrong-type", StructureFile.entry(#""components": {}"#), StructureFile.entry(#""components": [{}]"#)),
        Case("wrong-type", StructureFile.entries(#"{"appID": [@]}"#), StructureFile.entries(#"{"appIDs": [@]}"#)),
        Case(
            "wrong-type", StructureFile.links(#""details": {"appID": @}"#),
            StructureFile.links(#""details": [{"appID": @}]"#)),
        Case("wrong-type", StructureFile.components(#"{"/": ["/a"]}"#), StructureFile.components(#"{"/": "/a"}"#)),
        Case("wrong-type", StructureFile.components(#"{"/": ["/a", "/b"]}"#), nil),
        Case(
            "wrong-type", StructureFile.components(#"{"exclude": "TRUE"}"#),
            StructureFile.components(#"{"exclude": true}"#)),
        Case(
            "wrong-type", StructureFile.components(#"{"exclude": 0}"#), StructureFile.components(#"{"exclude": false}"#)
        ),
        Case("wrong-type", StructureFile.components(#"{"exclude": 2}"#), nil),
        Case("wrong-type", #"{"appclips": {"apps": [["a"], "b"]}}"#, #"{"appclips": {"apps": ["a", "b"]}}"#),
        Case(
            "details-as-dictionary", #"{"applinks":{"details":{@a:{"paths":["*"]},@b:{}}}}"#,
            #"{"applinks":{"details":[{"appID":@a,"paths":["*"]},{"appID":@b}]}}"#),
        Case(
            "details-as-dictionary",
            "{\"applinks\": {\"details\": {\r\n  \"\\\"\": {\r\n    \"paths\": []\r\n  }\r\n}}}",
            "{\"applinks\": {\"details\": [\r\n  {\r\n    \"appID\": \"\\\"\",\r\n    \"paths\": []\r\n  }\r\n]}}"),
        Case("details-as-dictionary", StructureFile.links(#""details": {@: {"appID": @}}"#), nil),
        Case(
            "missing-app-id", StructureFile.entries(#"{@: {"path": "*"}}"#),
            StructureFile.entries(#"{"appID": @, "paths": ["*"]}"#)),
        Case(
            "missing-app-id", StructureFile.entries(#"{@a: {"paths": ["*"]}, @b: {"paths": ["/b"]}}"#),
            StructureFile.entries(#"{"appID": @a, "paths": ["*"]}, {"appID": @b, "paths": ["/b"]}"#)),
        Case(
            "wrong-type", #"{"applinks": [{"appIDs": [@], "components": []}]}"#,
            #"{"applinks": { "details": [{"appIDs": [@], "components": []}] }}"#),
        Case("wrong-type", #"{"applinks": [{"details": []}]}"#, #"{"applinks": {"details": []}}"#),
        Case("wrong-type", #"{"applinks": [1]}"#, nil),
        Case(
            "wrong-type", StructureFile.entry(#""components": ["/b/*"]"#),
            StructureFile.entry(#""components": [{ "/": "/b/*" }]"#)),
        Case(
            "wrong-type", StructureFile.entry(#""components": ["NOT /b/*"]"#),
            StructureFile.entry(#""components": [{ "/": "/b/*", "exclude": true }]"#)),
        Case(
            "wrong-type", #"{"webcredentials": {"apps": [{"appID": @}]}}"#, #"{"webcredentials": {"apps": [@]}}"#),
        Case("wrong-type", #"{"webcredentials": {"apps": [{"id": @}]}}"#, nil),
        Case(
            "apps-not-empty", StructureFile.links(#""apps": [{"appID": @, "paths": ["/a"]}]"#),
            StructureFile.links(#""details": [{"appID": @, "paths": ["/a"]}]"#)),
        Case("details-as-dictionary", StructureFile.links(#""details": {}"#), StructureFile.links(#""details": []"#)),
        Case(
            "missing-app-id", StructureFile.entries("{}"),
            StructureFile.entries(#"{"appIDs": ["ABCDE12345.com.example.app"]}"#)),
        Case("missing-service-apps", #"{"appclips":{}}"#, #"{"appclips":{"apps":["ABCDE12345.com.example.app"]}}"#),
        Case(
            "missing-apps", #"{"applinks":{"details":[{"appID":@,"paths":[]}]}}"#,
            #"{"applinks":{"apps":[],"details":[{"appID":@,"paths":[]}]}}"#),
        Case(
            "missing-apps", #"{ "applinks": { "details": [{ "appID": @, "paths": [] }] } }"#,
            #"{ "applinks": { "apps": [], "details": [{ "appID": @, "paths": [] }] } }"#),
        Case(
            "missing-apps", "{\"applinks\" : {\r\n\t\"details\" : [{\"appID\": @, \"paths\": []}]\r\n}}",
            "{\"applinks\" : {\r\n\t\"apps\": [],\r\n\t\"details\" : [{\"appID\": @, \"paths\": []}]\r\n}}"),
        Case("apps-not-empty", StructureFile.links(#""apps": [1]"#), StructureFile.links(#""apps": []"#)),
        Case(
            "apps-not-empty", StructureFile.links(#""apps": [@], "details": [{"appID": @, "paths": ["/a"]}]"#),
            StructureFile.links(#""apps": [], "details": [{"appID": @, "paths": ["/a"]}]"#)),
        // An app that is named nowhere else is not deleted.
        Case("apps-not-empty", StructureFile.links(#""apps": [@]"#), nil),
        Case(
            "apps-not-empty", StructureFile.links(#""apps": [@], "details": [{"paths": ["/a"]}]"#),
            StructureFile.links(#""apps": [], "details": [{"appID": @, "paths": ["/a"]}]"#)),
        Case(
            "apps-not-empty", StructureFile.links(#""apps": [@, @a], "details": [{"components": []}]"#),
            StructureFile.links(#""apps": [], "details": [{"appIDs": [@, @a], "components": []}]"#)),
        Case(
            "apps-not-empty", StructureFile.links(#""apps": [@, @a], "details": [{"appID": @, "paths": ["/a"]}]"#), nil),
        // '"apps": []' alone changes nothing where no system that needs it knows the app.
        Case("missing-apps", #"{"applinks":{"details":[{"appIDs":[@],"paths":["/a"]}]}}"#, nil),
        Case(
            "conflicting-app-id", StructureFile.entries("{\n  \"appIDs\": [@],\n  \"appID\": @a\n}"),
            StructureFile.entries("{\n  \"appIDs\": [@]\n}")),
        Case(
            "ignored-paths", StructureFile.entry("\"paths\": [\n  \"*\"\n],\n  \"components\": []"),
            StructureFile.entries("{\"appIDs\": [@],\n  \"components\": [{ \"/\": \"*\" }]}")),
        Case(
            "ignored-paths",
            StructureFile.entry(
                #""paths": ["/a", "NOT /b"], "components": [{"/": "/b", "exclude": true}, {"/": "/a"}]"#),
            StructureFile.entry(#""components": [{"/": "/b", "exclude": true}, {"/": "/a"}]"#)),
        Case(
            "ignored-paths", StructureFile.entry(#""paths": "/a", "components": [{"/": "/b", "exclude": true}]"#),
            StructureFile.entry(#""components": [{"/": "/b", "exclude": true}, { "/": "/a" }]"#)),
        Case("ignored-paths", StructureFile.entry(#""paths": ["/c"], "components": [{"/": "/a"}]"#), nil),
        Case(
            "mixed-generations", StructureFile.entry("\"paths\": [\n  \"NOT /a\",\n  \"/\\u0022/*\",\n  \"NOT \"\n]"),
            StructureFile.entry(
                "\"components\": [\n  { \"/\": \"/a\", \"exclude\": true },\n  { \"/\": \"/\\\"/*\" },\n"
                    + "  { \"/\": \"\", \"exclude\": true }\n]")),
        Case("mixed-generations", StructureFile.entry(#""paths": ["/a", 1]"#), nil),
        Case("duplicate-app-id", #"{"appclips":{"apps":[@,@]}}"#, #"{"appclips":{"apps":[@]}}"#),
        Case("duplicate-app-id", #"{"appclips":{"apps":[ @, @a, @, @b ]}}"#, #"{"appclips":{"apps":[ @, @a, @b ]}}"#),
        Case(
            "duplicate-app-id", "{\"appclips\":{\"apps\":[\r\n  @,\r\n  @a,\r\n  @,\r\n  @b\r\n]}}",
            "{\"appclips\":{\"apps\":[\r\n  @,\r\n  @a,\r\n  @b\r\n]}}"),
    ]

    @Test("The first fix keeps everything else as it is", arguments: keys + values)
    func fixes(fix: Case) {
        let file = StructureFile(fix.text)
        #expect(file.found.contains(fix.code))
        #expect(file.fixed(fix.code) == fix.fixed.map(StructureFile.expanded))
    }
}
