import Foundation
import TestSupport
import Testing

/// Programs of others that speak HTTP/2.
@Suite("aasa serve: clients of HTTP/2", .waiting)
struct ServeHTTP2ClientsTests {
    private static let path = "/.well-known/apple-app-site-association"

    @Test("curl gets the file by HTTP/2 when it may, and by HTTP/1.1 when it must")
    func curl() throws {
        let server = try RunningServer(RunningServer.layOut())
        for (option, version) in [
            ("--http2", "2"), ("--http1.1", "1.1"), ("--http2-prior-knowledge", "2"), ("--no-alpn", "1.1"),
        ] {
            let outcome = try server.curl(Self.path, [option, "-w", " %{http_version}"])
            #expect(outcome.text == "\(RunningServer.document) \(version)", "\(option): \(outcome.errors)")
        }
        // Two requests on one connection.
        let both = try server.curl(
            Self.path,
            [
                "--http2", "-o", "/dev/null", "-w", "%{http_code} %{num_connects} ", "-o", "/dev/null",
                "https://localhost:\(server.port)/x",
            ])
        #expect(both.text == "200 1 404 0 ", "\(both.errors)")
        let large = try RunningServer.layOut(document: Self.large)
        let other = try RunningServer(large)
        #expect(try other.curl(Self.path, ["--http2"]).text == Self.large)
    }

    /// More than the initial window, and than a frame.
    private static let large: String = {
        let components = (0..<3_000).map { "{\"/\":\"/section/\($0)/*\"}" }.joined(separator: ",")
        return
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.com.example.app\"],\"components\":[\(components)]}]}}"
    }()

    @Test("nghttp gets many streams at once, and reports no error", .needs(.nghttp))
    func nghttp() throws {
        let server = try RunningServer(RunningServer.layOut(document: Self.large))
        let outcome = try Shell.run(
            [
                ExternalProgram.nghttp.path, "-v", "-n", "-m", "50", "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.components(separatedBy: ":status: 200").count == 51)
        #expect(!outcome.text.contains("RST_STREAM"))
        let posted = try Shell.run(
            [
                "sh", "-c", "printf x | \(ExternalProgram.nghttp.path) -v -d - https://localhost:\(server.port)/x",
            ])
        #expect(posted.text.contains(":status: 405"), "\(posted.text)")
        // Windows of 15 bytes.
        let narrow = try Shell.run(
            [
                ExternalProgram.nghttp.path, "-n", "-s", "-w", "4", "-W", "4",
                "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(narrow.text.contains(" 200 "), "\(narrow.text) \(narrow.errors)")
    }

    @Test(
        "h2load counts no error", .needs(.h2load),
        arguments: [["-c", "8", "-m", "1"], ["-c", "2", "-m", "100"], ["-c", "1", "-m", "10", "-w", "10"]])
    func h2load(options: [String]) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: 2)
        let outcome = try Shell.run(
            [ExternalProgram.h2load.path, "-n", "5000"] + options
                + ["https://localhost:\(server.port)\(Self.path)"])
        #expect(outcome.text.contains("5000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(outcome.text)")
        #expect(outcome.text.contains("status codes: 5000 2xx"), "\(outcome.text)")
    }

    @Test("The module h2 of Python, which checks each frame, gets many streams at once", .needs(.pythonWithH2))
    func python() throws {
        let server = try RunningServer(RunningServer.layOut(document: Self.large))
        let outcome = try Shell.run(
            [
                ExternalProgram.pythonWithH2.path, "-c", Self.program, "\(server.port)", Self.path,
                "\(server.folder.path)/certs/localhost/fullchain.pem",
            ])
        let count = Self.large.utf8.count
        let round = ["GET 200 \(count)", "HEAD 200 0", "GET 404 ", "POST 405 "]
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 41 && lines.last == "closed", "\(outcome.text) \(outcome.errors)")
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.hasPrefix(round[index % 4]), "\(line)")
        }
    }

    /// Asks for ten times four answers at once, writes a line for each, and ends the connection as the standard wants it.
    private static let program = """
        import socket, ssl, sys
        import h2.connection, h2.events

        port, path, authority = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        context = ssl.create_default_context(cafile=authority)
        context.set_alpn_protocols(["h2"])
        stream = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
        assert stream.selected_alpn_protocol() == "h2"
        client = h2.connection.H2Connection()
        client.initiate_connection()
        asked = [("GET", path), ("HEAD", path), ("GET", "/x"), ("POST", "/x")] * 10
        for number, (method, target) in enumerate(asked):
            fields = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", target)]
            client.send_headers(2 * number + 1, fields, end_stream=method != "POST")
            if method == "POST":
                client.send_data(2 * number + 1, b"x", end_stream=True)
        client.ping(b"12345678")
        stream.sendall(client.data_to_send())
        statuses, bodies, ended, is_answered = {}, {}, set(), False
        while len(ended) < len(asked) or not is_answered:
            data = stream.recv(65536)
            assert data, "the server has closed the connection"
            for event in client.receive_data(data):
                if isinstance(event, h2.events.ResponseReceived):
                    statuses[event.stream_id] = dict(event.headers)[b":status"].decode()
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] = bodies.get(event.stream_id, 0) + len(event.data)
                    client.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    ended.add(event.stream_id)
                elif isinstance(event, h2.events.PingAckReceived):
                    is_answered = event.ping_data == b"12345678"
                else:
                    assert not isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)), event
            stream.sendall(client.data_to_send())
        for number, (method, target) in enumerate(asked):
            print(method, statuses[2 * number + 1], bodies.get(2 * number + 1, 0))
        client.close_connection()
        stream.sendall(client.data_to_send())
        while data := stream.recv(65536):
            client.receive_data(data)
        print("closed")
        """

    @Test("Chromium loads the file by HTTP/2", .needs(.chromium))
    func chromium() throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(
            folder, configuration: #"{"log": {"access": "\#(folder.path)/access.log"}}"#)
        let outcome = try Shell.run(
            [
                ExternalProgram.chromium.path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
                "--user-data-dir=\(folder.path)/browser", "--ignore-certificate-errors", "--dump-dom",
                "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(outcome.text.contains(">\(RunningServer.document)<"), "\(outcome.text) \(outcome.errors)")
        func lines() -> [Substring] {
            let text = (try? String(contentsOfFile: "\(folder.path)/access.log", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").filter { $0.contains(Self.path) }
        }
        #expect(Waiting.until { !lines().isEmpty })
        #expect(lines().allSatisfy { $0.contains(#""http":"2""#) && $0.contains("Chrome/") }, "\(lines())")
    }
}
