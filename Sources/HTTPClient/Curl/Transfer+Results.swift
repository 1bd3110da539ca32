internal import CCurl
internal import Glibc

// What a transfer ends with.
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
                let text = String(cString: current.pointee.data)
                if text.hasPrefix("Cert:") { certificates += Array(text.utf8.dropFirst(5)) + [0x0A] }
                line = current.pointee.next
            }
        }
        return .success(Chain(certificates: certificates, address: address, times: times))
    }

    private func failure(_ reason: Failure.Reason) -> Failure {
        Failure(
            reason, phase: phase, address: address, headerBytes: header.bytes, bodyBytes: body.count, head: header.head,
            times: times, detail: String(cString: errorText))
    }

    private func reason(_ result: CURLcode) -> Failure.Reason {
        if let problem { return problem }
        let isUndecodable = header.head.map { !$0.contentCodings.isEmpty } ?? false
        switch result {
        case CURLE_COULDNT_CONNECT: return .notConnected(Failure.ConnectError(Int32(truncatingIfNeeded: systemError)))
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        case CURLE_SSL_CONNECT_ERROR: return .tls(TLSErrorText.error(in: String(cString: errorText)))
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
        let text = String(cString: errorText)
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

    /// How far it got.
    private var phase: Failure.Phase {
        guard easy != nil else { return .queued }
        if header.head != nil { return .body }
        if header.bytes > 0 { return .header }
        if size(CURLINFO_PRETRANSFER_TIME_T) > 0 { return .waiting }
        return tlsTime == nil ? .connecting : .handshaking
    }

    private var times: TransferTimes {
        func time(_ info: CURLINFO) -> Duration? {
            let microseconds = size(info)
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }
        return TransferTimes(
            connected: time(CURLINFO_CONNECT_TIME_T) ?? tlsTime.map(Self.duration),
            secured: time(CURLINFO_APPCONNECT_TIME_T),
            header: headerTime.map(Self.duration),
            total: time(CURLINFO_TOTAL_TIME_T) ?? .zero)
    }

    private static func duration(_ seconds: Double) -> Duration { .microseconds(Int(seconds * 1_000_000)) }

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
