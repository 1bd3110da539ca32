import AssociationConsole
import AssociationLint
import ConsoleSamples
import Glibc
import HTTP1

/// Answers requests to the console of a sample server: each comes on standard input, its length in 8 hexadecimal digits
/// first; each answer goes to standard output in the same way. What has a socket is the test that starts it.
@main
enum ConsoleSample {
    static func main() {
        let responder = ConsoleResponder(
            rules: RuleRegistry.catalogue, version: "0.0.0", unwrap: { _ in nil }, refusal: { _, _, _ in nil })
        let content = ConsoleContent.server(SampleServer(hasStore: true))
        while let size = read(8).flatMap({ Int(String(decoding: $0, as: UTF8.self), radix: 16) }),
            let bytes = read(size)
        {
            write(answer(bytes, responder, content))
        }
    }

    private static func answer(
        _ bytes: [UInt8], _ responder: ConsoleResponder, _ content: ConsoleContent
    ) -> [UInt8] {
        let end = Array("\r\n\r\n".utf8)
        let length = bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + 4 } ?? bytes.count
        guard var request = ConsoleRequest(parsing: bytes[..<length]) else {
            return ConsoleAnswer.text(.notFound, "not found").bytes(.close, sendsBody: true, now: SampleServer.now)
        }
        request.body = Array(bytes[length...])
        let answer: ConsoleAnswer =
            switch RequestGuard.check(request, isServer: true) {
            case .refuse(let refusal): refusal
            case .readBody, .proceed: responder.answer(request, content, now: SampleServer.now)
            }
        return answer.bytes(.close, sendsBody: !request.isHead, now: SampleServer.now)
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var start = 0
        while start < count {
            let result = bytes.withUnsafeMutableBytes {
                Glibc.read(0, $0.baseAddress.map { $0 + start }, count - start)
            }
            guard result > 0 else { return nil }
            start += result
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8]) {
        let digits = String(bytes.count, radix: 16)
        let all = Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8) + bytes
        var start = 0
        while start < all.count {
            let result = all.withUnsafeBytes { Glibc.write(1, $0.baseAddress.map { $0 + start }, all.count - start) }
            guard result > 0 else { return }
            start += result
        }
    }
}
