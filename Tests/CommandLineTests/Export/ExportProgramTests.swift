import Foundation
import TestSupport
import Testing

/// The programs that `aasa export` writes, run: those for frameworks with the little of the framework that they use.
@Suite("aasa export, programs", .waiting)
struct ExportProgramTests {
    @Test("the middleware for Express answers for its files and leaves the rest alone", .needs(.node))
    func express() throws {
        let files = try ExportedFiles("express", to: #"a "b" 'c' $d"#)
        let program = """
            const aasa = require(process.argv[1])
            const server = require('node:http').createServer((request, response) =>
              aasa(request, response, () => { response.statusCode = 404; response.end('next') }))
            server.listen(Number(process.argv[2]), '127.0.0.1')
            """
        let port = try FreePort.reserve()
        let server = try ForegroundServer(
            .node, ["-e", program, "\(files.path)/aasa.cjs", "\(port)"], in: files.tool.folder, ports: [port])
        let site = TrappedSite(name: "localhost", port: port)
        try files.expectServed(by: site)
        for path in ["/", "/.well-known/other", "/apple-app-site-association"] {
            #expect(try site.ask(path).body == Array("next".utf8), "\(path)")
        }
        #expect(try site.ask("\(ExportedFiles.associationPath)?v=2").status == 200)
        #expect(try site.ask(ExportedFiles.associationPath, method: "POST").status == 404)
        #expect(server.isRunning)
    }

    @Test("the routers for Traefik take the exported paths of the domain alone, before all others", .needs(.ruby))
    func traefik() throws {
        for (hasAssociation, names) in [(true, ["aasa-apple", "aasa-google"]), (false, ["aasa-google"])] {
            let files = try ExportedFiles("traefik", to: "it's \"a\" site", hasAssociation: hasAssociation)
            let outcome = try Shell.run([
                try ExternalProgram.ruby.path, "-ryaml", "-rjson", "-e",
                "puts JSON.generate(YAML.load_file(ARGV[0])['http'])", "\(files.path)/aasa.traefik.yml",
            ])
            let http = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: [String: Any]])
            let routers = try #require(http["routers"] as? [String: [String: Any]])
            #expect(routers.keys.sorted() == names)
            for (name, path) in [
                ("aasa-apple", ExportedFiles.associationPath), ("aasa-google", ExportedFiles.linksPath),
            ] where names.contains(name) {
                let router = try #require(routers[name])
                #expect(router["rule"] as? String == "Host(`example.com`) && Path(`\(path)`)")
                #expect(router["priority"] as? Int == 100_000 && router["service"] as? String == "aasa")
                #expect(router["middlewares"] == nil && router["tls"] != nil)
                #expect(router["entryPoints"] as? [String] == ["websecure"])
            }
            let service = try #require(http["services"]?["aasa"] as? [String: [String: Any]])
            #expect(service["loadBalancer"]?["servers"] as? [[String: String]] == [["url": "http://127.0.0.1:8088"]])
        }
    }

    @Test("the headers for Next.js are about the exported files", .needs(.node))
    func next() throws {
        let files = try ExportedFiles("next", to: "links alone", hasAssociation: false)
        let outcome = try Shell.run([
            try ExternalProgram.node.path, "--input-type=module", "-e",
            "import { aasaHeaders } from '\(files.path)/aasa.next.mjs'; console.log(JSON.stringify(aasaHeaders()))",
        ])
        let rules = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        #expect(rules.map { $0["source"] as? String } == [ExportedFiles.linksPath])
        let headers = try #require(rules.first?["headers"] as? [[String: String]])
        #expect(headers.contains(["key": "Content-Type", "value": "application/json"]))
    }

    @Test("the routes for Rails answer with the bytes and the type", .needs(.ruby))
    func rails() throws {
        let files = try ExportedFiles("rails", to: "it's \"a\" site")
        let program = #"""
            require "pathname"
            module Rails; def self.root = Pathname.new(ARGV[0]); end
            class Mapper
              def get(path, to:, **options)
                %w[GET HEAD].each do |method|
                  status, headers, body = to.call({ "REQUEST_METHOD" => method })
                  puts [method, path, status, headers["content-type"], headers["content-length"], body.join.bytesize].join(" ")
                end
              end
            end
            Mapper.new.instance_eval(File.read(File.join(ARGV[0], "config/routes/aasa.rb")))
            """#
        let outcome = try Shell.run([try ExternalProgram.ruby.path, "-e", program, files.path])
        let (first, second) = (ExportedFiles.association.utf8.count, ExportedFiles.links.utf8.count)
        #expect(
            outcome.text == """
                GET \(ExportedFiles.associationPath) 200 application/json \(first) \(first)
                HEAD \(ExportedFiles.associationPath) 200 application/json \(first) 0
                GET \(ExportedFiles.linksPath) 200 application/json \(second) \(second)
                HEAD \(ExportedFiles.linksPath) 200 application/json \(second) 0

                """, "\(outcome.errors)")
    }

    @Test("the routes for Laravel answer with the bytes and the type, without middleware", .needs(.php))
    func laravel() throws {
        let files = try ExportedFiles("laravel", to: "it's \"a\" site")
        let program = #"""
            namespace Illuminate\Support\Facades {
                class Route {
                    static function get($path, $action) {
                        [$body, $status, $headers] = $action();
                        echo "$path $status ", $headers['Content-Type'], " ", strlen($body), "\n";
                        return new class { function withoutMiddleware($names) { echo implode(',', (array) $names), "\n"; } };
                    }
                }
            }
            namespace {
                function resource_path($path) { return $GLOBALS['argv'][1] . "/resources/$path"; }
                function response(...$parts) { return $parts; }
                require $argv[1] . '/routes/aasa.php';
            }
            """#
        let outcome = try Shell.run([try ExternalProgram.php.path, "-r", program, "--", files.path])
        #expect(
            outcome.text == """
                .well-known/apple-app-site-association 200 application/json \(ExportedFiles.association.utf8.count)
                web
                .well-known/assetlinks.json 200 application/json \(ExportedFiles.links.utf8.count)
                web

                """, "\(outcome.errors)")
    }

    @Test("the views for Django answer with the bytes and the type, and ask for no login", .needs(.python))
    func django() throws {
        let files = try ExportedFiles("django", to: "it's \"a\" site")
        let program = """
            import runpy, sys, types

            def module(name, **members):
                sys.modules[name] = types.ModuleType(name)
                vars(sys.modules[name]).update(members)

            for name in ["django", "django.views", "django.views.decorators"]:
                module(name)
            module("django.http", HttpResponse=lambda content, content_type: (len(content), content_type))
            module("django.urls", path=lambda route, view: (route, view))
            module("django.views.decorators.http", require_safe=lambda view: view)
            module("django.views.decorators.cache", cache_control=lambda **options: lambda view: view)
            for route, view in runpy.run_path(sys.argv[1] + "/aasa_urls.py")["urlpatterns"]:
                print(route, *view(None), view.login_required)
            """
        let outcome = try Shell.run([try ExternalProgram.python.path, "-c", program, files.path])
        #expect(
            outcome.text == """
                .well-known/apple-app-site-association \(ExportedFiles.association.utf8.count) application/json False
                .well-known/assetlinks.json \(ExportedFiles.links.utf8.count) application/json False

                """, "\(outcome.errors)")
    }

    @Test("upload.sh uploads the files with their type and tells the distribution")
    func upload() throws {
        let files = try ExportedFiles("s3-cloudfront", to: "it's \"a\" $site")
        let tool = files.tool
        try tool.write("#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\necho\n", to: "bin/aws")
        try tool.shell("chmod +x bin/aws")
        let environment = ["PATH": "\(tool.folder.path)/bin:/usr/bin:/bin", "script": "\(files.path)/upload.sh"]
        let outcome = try tool.shell(
            "\"$script\"", environment: environment.merging(["BUCKET": "my-bucket", "DISTRIBUTION": "E1"]) { $1 })
        #expect(
            outcome.text == [ExportedFiles.associationPath, ExportedFiles.linksPath].map { path in
                """
                <s3><cp><\(path.dropFirst())><s3://my-bucket\(path)><--content-type><application/json>\
                <--cache-control><public, max-age=3600>

                """
            }.joined() + "<cloudfront><create-invalidation><--distribution-id><E1><--paths></.well-known/*>\n",
            "\(outcome.errors)")
        #expect(try tool.shell("\"$script\"", environment: environment).status != 0)
    }
}
