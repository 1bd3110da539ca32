internal import BoundedText
internal import CCurl
internal import Glibc

// The results of a transfer.
extension Transfer {
    /// Takes what libcurl says at the end.
    func finish(_ result: CURLcode) {
        switch work {
        case .request(_, let completion): completion(response(result))
        case .probe(_, let completion): completion(chain(result))
        }
    }

    /// Whether the request was sent over a connection that is kept, but not answered in time.
    func isUnanswered(_ result: CURLcode) -> Bool {
        guard result == CURLE_OPERATION_TIMEDOUT, case .request(let request, _) = work, request.keepsConnection else {
            return false
        }
        return size(CURLINFO_PRETRANSFER_TIME_T) > 0
    }

    /// Ends it, whatever libcurl would say.
    func fail(_ reason: Failure.Reason) {
        switch work {
        case .request(_, let completion): completion(.failure(failure(reason)))
        case .probe(_, let completion): completion(.failure(failure(reason)))
        }
    }

    private func response(_ result: CURLcode) -> Result<Response, Failure> {
        // Whatever stopped it after the limit, there is what was asked for.
        guard result == CURLE_OK || isTruncated else { return .failure(failure(reason(result))) }
        // A stream that ends in the middle of a header is a success to the library.
        guard let head = header.head else { return .failure(failure(.closed)) }
        return .success(Response(head: head, body: body, isTruncated: isTruncated, address: address, times: times))
    }

    private func chain(_ result: CURLcode) -> Result<Chain, Failure> {
        guard result == CURLE_OK else { return .failure(failure(reason(result))) }
        guard let library, let easy, let found = c_curl_get_certificates(library.functions, easy) else {
            return .failure(failure(.outOfResources(ENOMEM)))
        }
        var certificates: [UInt8] = []
        for index in 0..<max(0, Int(found.pointee.num_of_certs)) {
            // A list of lines `NAME:VALUE`, with the certificate itself among them.
            var line = found.pointee.certinfo?[index]
            while let current = line {
                let text = String(cText: current.pointee.data)
                if text.hasPrefix("Cert:") { certificates += Array(text.utf8.dropFirst(5)) + [0x0A] }
                line = current.pointee.next
            }
        }
        return .success(Chain(certificates: certificates, address: address))
    }

    private func failure(_ reason: Failure.Reason) -> Failure {
        Failure(
            reason, phase: phase, address: address, headerBytes: header.bytes, bodyBytes: body.count, head: header.head,
            times: times)
    }

    private func reason(_ result: CURLcode) -> Failure.Reason {
        if let problem { return problem }
        let isUndecodable = header.head.map { !$0.contentCodings.isEmpty } ?? false
        switch result {
        case CURLE_COULDNT_CONNECT: return .notConnected(Failure.ConnectError(Int32(truncatingIfNeeded: systemError)))
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        case CURLE_SSL_CONNECT_ERROR: return .tls(TLSErrorText.error(in: String(cText: errorText)))
        case CURLE_PEER_FAILED_VERIFICATION:
            // The name is compared first. X509_V_ERR_UNSPECIFIED says that nothing else was yet.
            let number = number(CURLINFO_SSL_VERIFYRESULT)
            return number <= 1 ? .nameMismatch : .certificateRefused(number)
        // The latter: a connection that was used again, and a body that is not sent twice.
        case CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND: return .closed
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return connectionLoss
        case CURLE_PARTIAL_FILE: return incompleteBody
        case CURLE_BAD_CONTENT_ENCODING: return .undecodableBody
        // Some decoders report their errors as one of writing.
        case CURLE_WRITE_ERROR where isUndecodable: return .undecodableBody
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return header.bytes == 0 ? .notHTTP : .malformedHeader
        // A line that is longer than the library's own limit.
        case CURLE_OUT_OF_MEMORY where header.head == nil && phase != .connecting: return .headerTooLarge
        case CURLE_OUT_OF_MEMORY: return .outOfResources(ENOMEM)
        // A first line that continues one before it.
        case CURLE_BAD_FUNCTION_ARGUMENT where header.bytes > 0 && header.head == nil: return .malformedHeader
        default: return .other(Int(result.rawValue))
        }
    }

    private var connectionLoss: Failure.Reason {
        if isTunnelled, phase == .handshaking || phase == .connecting {
            return .proxyRefused(status: number(CURLINFO_HTTP_CONNECTCODE))
        }
        let text = String(cText: errorText)
        if TLSErrorText.isReset(text) { return .reset }
        // Where TLS is at fault, the text has a number of OpenSSL's.
        if let error = TLSErrorText.numbered(in: text), error != .closed { return .tls(error) }
        return header.head == nil ? .closed : incompleteBody
    }

    private var isTunnelled: Bool {
        if case .request(let request, _) = work, case .proxy = request.route { return true }
        return false
    }

    private var incompleteBody: Failure.Reason {
        let expected = size(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return .incompleteBody(expected: expected >= 0 ? expected : nil, received: size(CURLINFO_SIZE_DOWNLOAD_T))
    }

    /// The phase that the transfer has reached.
    private var phase: Failure.Phase {
        guard easy != nil else { return .queued }
        if header.head != nil { return .body }
        if header.bytes > 0 { return .header }
        if size(CURLINFO_PRETRANSFER_TIME_T) > 0 { return .waiting }
        return hasBegunTLS ? .handshaking : .connecting
    }

    private var times: TransferTimes {
        TransferTimes(header: headerTime, total: .microseconds(max(0, size(CURLINFO_TOTAL_TIME_T))))
    }

    /// The connection that is used again.
    var keptSocket: Int32? {
        guard let library, let easy else { return nil }
        let descriptor = c_curl_get_socket(library.functions, easy)
        return descriptor >= 0 ? descriptor : nil
    }

    private var systemError: Int { number(CURLINFO_OS_ERRNO) }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        guard let library, let easy, c_curl_get_long(library.functions, easy, info, &value) == CURLE_OK else {
            return 0
        }
        return value
    }

    private func size(_ info: CURLINFO) -> Int {
        var value: Int64 = 0
        guard let library, let easy, c_curl_get_size(library.functions, easy, info, &value) == CURLE_OK else {
            return 0
        }
        return Int(value)
    }
}

/// Reads the lines of headers as they come: of interim answers, of the final one, and of trailers.
package struct HeaderReader {
    package enum Problem: Error, Equatable {
        case tooLarge, malformed
    }

    private let limit: Int
    package private(set) var bytes = 0
    /// The last header that is complete, if it is not of an interim answer.
    package private(set) var head: ResponseHead?
    private var status = 0
    private var statusLine: [UInt8]?
    private var fields: [HeaderField] = []

    package init(limit: Int) { self.limit = limit }

    /// Takes one line with its end.
    package mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(Problem) {
        bytes += line.count
        guard bytes <= limit else { throw .tooLarge }
        // Trailers are counted and otherwise left alone (RFC 9110, section 6.5.1).
        guard head == nil else { return }
        let content = Self.withoutEnd(line)
        guard statusLine != nil else {
            try begin(content)
            return
        }
        if content.isEmpty {
            complete()
        } else if content.first == 0x20 || content.first == 0x09 {
            try fold(content)
        } else {
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")), colon > content.startIndex,
                !content[..<colon].contains(where: { $0 <= 0x20 || $0 == 0x7F })
            else { throw .malformed }
            fields.append(
                HeaderField(
                    name: Array(content[..<colon]), value: Array(Self.trimmed(content[(colon + 1)...]))))
        }
    }

    /// HTTP/1.1 200 OK
    private mutating func begin(_ line: Slice<UnsafeBufferPointer<UInt8>>) throws(Problem) {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
        guard line.starts(with: "HTTP/".utf8), digits.count == 3 else { throw .malformed }
        status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        statusLine = Array(line)
    }

    private mutating func complete() {
        // 101 ends it: no other protocol was asked for, and what follows is not HTTP.
        if status >= 200 || status == 101 {
            head = ResponseHead(status: status, statusLine: statusLine ?? [], fields: fields)
        }
        (statusLine, fields) = (nil, [])
    }

    /// A line that continues the value before it (RFC 9112, section 5.2).
    private mutating func fold(_ line: Slice<UnsafeBufferPointer<UInt8>>) throws(Problem) {
        guard let last = fields.popLast() else { throw .malformed }
        let rest = Self.trimmed(line)
        // The white space around the whole value does not belong to it.
        let gap: [UInt8] = last.value.isEmpty || rest.isEmpty ? [] : [0x20]
        fields.append(HeaderField(name: last.name, value: last.value + gap + rest))
    }

    private static func withoutEnd(_ line: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var content = line[...]
        if content.last == 0x0A { content.removeLast() }
        if content.last == 0x0D { content.removeLast() }
        return content
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}

/// The texts of libcurl about TLS, which it has no numbers for: OpenSSL's number is in them, and the system's reason.
enum TLSErrorText {
    static func error(in text: String) -> Failure.TLSError {
        if let error = numbered(in: text) { return error }
        if isReset(text) { return .reset }
        // Without a number it is the end of the stream.
        return text.contains("SSL_ERROR_SYSCALL") || text.contains("SSL_ERROR_ZERO_RETURN") ? .closed : .other(text)
    }

    static func isReset(_ text: String) -> Bool {
        [ECONNRESET, EPIPE].contains { text.contains(String(cText: strerror($0))) }
    }

    /// The error of the first OpenSSL number in the text, which is written as `error:0A000410:`.
    static func numbered(in text: String) -> Failure.TLSError? {
        guard let number = number(in: text) else { return nil }
        let (library, reason) = (number >> 23 & 0xFF, number & 0x7F_FFFF)
        guard library == tlsLibrary else { return .other(text) }
        switch reason {
        case alertOffset...alertOffset + 255: return .alert(UInt8(truncatingIfNeeded: reason - alertOffset))
        // SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG: the first bytes are not those of a record.
        case 267, 198: return .notTLS
        // SSL_R_UNSUPPORTED_PROTOCOL
        case 258: return .versionNotOffered
        // SSL_R_NO_PROTOCOLS_AVAILABLE
        case 191: return .unsupportedHere
        // SSL_R_UNEXPECTED_EOF_WHILE_READING
        case 294: return .closed
        default: return .other(text)
        }
    }

    /// `ERR_LIB_SSL`
    private static let tlsLibrary: UInt32 = 20
    /// `SSL_AD_REASON_OFFSET`
    private static let alertOffset: UInt32 = 1_000

    private static func number(in text: String) -> UInt32? {
        text.ranges(of: "error:").lazy.compactMap { mark in
            let digits = text[mark.upperBound...].prefix(8)
            return digits.utf8.count == 8 ? UInt32(digits, radix: 16) : nil
        }.first
    }
}
