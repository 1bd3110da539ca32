import AssociationServer
import DomainNames
import EventLoops
import FuzzingSupport
import HTTP1
import Testing

/// The lines of the access log, byte by byte (server.md, section 9).
@Suite("Lines of the access log")
struct AccessLogFormatTests {
    @Test("a line of JSON has its keys in order")
    func json() {
        #expect(
            AccessLogRequest().text(.json) == #"""
                {"address":"203.0.113.7","agent":"swcd/1 \"x\"","bytes":1024,"host":"www.example.com","http":"1.1",\#
                "method":"GET","microseconds":38,"peer":"10.0.0.1","resumed":true,"site":"example.com","status":200,"target":"/.well-known/apple-app-site-association",\#
                "time":"2026-11-21T14:00:00.123Z","tls":"1.3"}

                """#)
    }

    @Test("what is not known is null in JSON")
    func nulls() {
        let request = AccessLogRequest(
            address: IPAddress(high: 0x2001_0DB8_0000_0000, low: 1), peer: nil, site: nil, host: nil, method: nil,
            target: nil,
            status: .badRequest, bytes: 0, microseconds: -1, tls: .none, isResumed: false, userAgent: nil)
        #expect(
            request.text(.json) == #"""
                {"address":"2001:db8::1","agent":null,"bytes":0,"host":null,"http":"1.1","method":null,"microseconds":0,\#
                "peer":"unix","resumed":false,"site":null,"status":400,"target":null,"time":"2026-11-21T14:00:00.123Z","tls":null}

                """#)
    }

    @Test("a value that was sent empty is empty")
    func empty() {
        let request = AccessLogRequest(tls: .version12, userAgent: [])
        #expect(request.text(.json).contains(#","agent":"","bytes""#))
        #expect(request.text(.json).hasSuffix(#","tls":"1.2"}"# + "\n"))
        #expect(request.text(.combined).hasSuffix(#" 1024 "-" """# + "\n"))
    }

    @Test("a combined line is that of Apache and nginx")
    func combined() {
        #expect(
            AccessLogRequest().text(.combined) == #"""
                203.0.113.7 - - [21/Nov/2026:14:00:00 +0000] \#
                "GET /.well-known/apple-app-site-association HTTP/1.1" 200 1024 "-" "swcd/1 \x22x\x22"

                """#)
        let request = AccessLogRequest(
            address: IPAddress(high: 0x2001_0DB8_0000_0000, low: 1), method: Array("HEAD".utf8),
            target: Array("/x?a=b".utf8), version: .http10, status: .notFound, bytes: 0, userAgent: nil)
        #expect(
            request.text(.combined) == #"""
                2001:db8::1 - - [21/Nov/2026:14:00:00 +0000] "HEAD /x?a=b HTTP/1.0" 404 0 "-" "-"

                """#)
        #expect(AccessLogRequest(version: .http2).text(.combined).contains("association HTTP/2.0\" 200 "))
        #expect(AccessLogRequest(version: .http2).text(.json).contains(#","http":"2","method""#))
        let unreadable = AccessLogRequest(method: nil, status: .uriTooLong, bytes: 10, userAgent: nil)
        #expect(
            unreadable.text(.combined) == #"""
                203.0.113.7 - - [21/Nov/2026:14:00:00 +0000] "-" 414 10 "-" "-"

                """#)
    }

    @Test("who asks through a Unix socket is 'unix', unless a proxy says more", arguments: [false, true])
    func unixSocket(isNamed: Bool) {
        let address = isNamed ? IPAddress(ipv4: 0xCB00_7107) : nil
        let name = isNamed ? "203.0.113.7" : "unix"
        let request = AccessLogRequest(address: address, peer: nil, code: RedirectResponse.statusCode, tls: .none)
        let json = request.text(.json)
        #expect(json.hasPrefix(#"{"address":"\#(name)","#))
        #expect(json.contains(#","peer":"unix","resumed""#) && json.contains(#""status":308,"#))
        #expect(json.hasSuffix(#","tls":null}"# + "\n"))
        #expect(request.text(.combined).hasPrefix("\(name) - - ["))
    }

    @Test("every status and the numbers at the borders of their digits are written")
    func numbers() {
        for status in Status.allCases {
            #expect(AccessLogRequest(status: status).text(.json).contains(#""status":\#(status.rawValue),"#))
        }
        var numbers = [0, .max, .max - 1]
        var power = 1
        while power < .max / 10 {
            power *= 10
            numbers += [power - 1, power, power + 1, power * 5 + 7]
        }
        for number in numbers {
            let text = AccessLogRequest(bytes: number, microseconds: Int64(number)).text(.json)
            #expect(text.contains(#""bytes":\#(number),"#))
            #expect(text.contains(#""microseconds":\#(number),"#))
        }
        #expect(AccessLogRequest(bytes: .min, microseconds: .min).text(.json).contains(#""bytes":0,"#))
    }

    @Test(
        "times are written in UTC; beyond what four digits can say as the nearest that they can",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z", "01/Jan/1970:00:00:00 +0000"),
            (1, "1970-01-01T00:00:00.001Z", "01/Jan/1970:00:00:00 +0000"),
            (999, "1970-01-01T00:00:00.999Z", "01/Jan/1970:00:00:00 +0000"),
            (1_000, "1970-01-01T00:00:01.000Z", "01/Jan/1970:00:00:01 +0000"),
            (59_999, "1970-01-01T00:00:59.999Z", "01/Jan/1970:00:00:59 +0000"),
            (60_000, "1970-01-01T00:01:00.000Z", "01/Jan/1970:00:01:00 +0000"),
            (86_399_999, "1970-01-01T23:59:59.999Z", "01/Jan/1970:23:59:59 +0000"),
            (86_400_000, "1970-01-02T00:00:00.000Z", "02/Jan/1970:00:00:00 +0000"),
            (951_827_696_789, "2000-02-29T12:34:56.789Z", "29/Feb/2000:12:34:56 +0000"),
            (2_147_483_647_999, "2038-01-19T03:14:07.999Z", "19/Jan/2038:03:14:07 +0000"),
            (2_147_483_648_000, "2038-01-19T03:14:08.000Z", "19/Jan/2038:03:14:08 +0000"),
            (4_102_444_799_010, "2099-12-31T23:59:59.010Z", "31/Dec/2099:23:59:59 +0000"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "01/Mar/2100:00:00:00 +0000"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z", "31/Dec/9999:23:59:59 +0000"),
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z", "31/Dec/9999:23:59:59 +0000"),
            (.max, "9999-12-31T23:59:59.999Z", "31/Dec/9999:23:59:59 +0000"),
            (-1, "1970-01-01T00:00:00.000Z", "01/Jan/1970:00:00:00 +0000"),
            (.min, "1970-01-01T00:00:00.000Z", "01/Jan/1970:00:00:00 +0000"),
        ] as [(Int64, String, String)])
    func times(time: Int64, json: String, combined: String) {
        #expect(AccessLogRequest(time: time).text(.json).contains(#","time":"\#(json)","#))
        #expect(AccessLogRequest(time: time).text(.combined).contains(" [\(combined)] "))
    }

    @Test(
        "a time does not depend on those before it", arguments: ServerConfiguration.LogFormat.allCases,
        TestSeeds.of(1...1))
    func timesInARow(format: ServerConfiguration.LogFormat, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var formatter = AccessLogFormatter(format)
        var time: Int64 = 1_795_269_598_500
        for step in 0..<5_000 {
            // Mostly on, sometimes back, as a clock that is set.
            time += Int64(step % 100 == 99 ? random.number(-200_000_000...0) : random.number(0...1_500))
            let request = AccessLogRequest(time: time)
            #expect(request.line(&formatter) == request.line(format), "\(time)")
        }
    }
}
