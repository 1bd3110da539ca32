internal import CCurl
internal import DomainNames
internal import Glibc
internal import SystemSupport

/// One request or handshake from its submission to its result. After the submission it belongs to the loop's thread.
final class Transfer: @unchecked Sendable {
    enum Work {
        case request(Request, @Sendable (Result<Response, Failure>) -> Void)
        case probe(ChainProbe, @Sendable (Result<Chain, Failure>) -> Void)
    }

    let number: UInt64
    let work: Work
    /// The name or the address that counts for the connections to one host.
    let host: String
    /// Where the connection goes.
    let address: IPAddress
    private let port: Int

    private(set) var easy: UnsafeMutableRawPointer?
    private(set) var library: CurlLibrary?
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var addressList: UnsafeMutablePointer<curl_slist>?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The answer of the library to the first option that it did not take.
    private var refusal = CURLE_OK
    private var prepareTLS: (@Sendable (UnsafeMutableRawPointer) -> Bool)?

    private(set) var header: HeaderReader
    private(set) var body: [UInt8] = []
    /// The rest of the request's body that was not sent yet.
    private var unsent: ArraySlice<UInt8> = []
    private(set) var isTruncated = false
    /// Whether TCP was connected and TLS began, which the library tells only if TLS succeeds.
    private(set) var hasBegunTLS = false
    /// When the header was complete, from the start.
    private(set) var headerTime: Duration?
    private var startTime = ContinuousClock.now
    /// The problem that one of our functions found; libcurl then says no more than that it was stopped.
    private(set) var problem: Failure.Reason?
    /// The connection, as far as it is known, and what had been read from it for earlier requests.
    private var socket: (descriptor: Int32, bytesBefore: UInt64)?
    /// The number of bytes that may be read from the connection.
    private let receivedLimit: UInt64

    init(number: UInt64, _ work: Work) {
        self.number = number
        self.work = work
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        switch work {
        case .request(let request, _):
            host = request.url.host
            header = HeaderReader(limit: request.limits.header)
            receivedLimit = UInt64(request.limits.received)
            switch request.route {
            case .direct(let address): (self.address, port) = (address, request.url.port)
            case .proxy(let proxy): (address, port) = (proxy.address, proxy.port)
            }
        case .probe(let probe, _):
            host = probe.host
            header = HeaderReader(limit: 0)
            receivedLimit = UInt64(Request.Limits.handshake)
            (address, port) = (probe.address, probe.port)
        }
    }

    deinit { errorText.deallocate() }

    func free() {
        if let easy { library?.functions.pointee.easy_cleanup(easy) }
        for list in [fieldList, addressList] { if let list { library?.functions.pointee.slist_free_all(list) } }
        (easy, fieldList, addressList) = (nil, nil, nil)
    }
}

// Setting up.
extension Transfer {
    /// - Parameter longestIdle: in seconds; a connection that was not used for longer is not used again.
    /// - Returns: the handle to be added; nil if it has failed already.
    func begin(
        with library: CurlLibrary, longestIdle: Int?,
        prepareTLS: @escaping @Sendable (UnsafeMutableRawPointer) -> Bool
    ) -> UnsafeMutableRawPointer? {
        self.library = library
        self.prepareTLS = prepareTLS
        guard let easy = library.functions.pointee.easy_init() else {
            fail(.outOfResources(ENOMEM))
            return nil
        }
        self.easy = easy
        setCommon()
        switch work {
        case .request(let request, _):
            guard request.isSendable else {
                fail(.invalidRequest)
                free()
                return nil
            }
            set(request)
            if let longestIdle { set(CURLOPT_MAXAGE_CONN, longestIdle) }
        case .probe(let probe, _): set(probe)
        }
        if refusal != CURLE_OK {
            fail(.other(Int(refusal.rawValue)))
            free()
            return nil
        }
        startTime = .now
        return easy
    }

    private func set(_ option: CURLoption, _ value: Int) { set { c_curl_set_long($0, $1, option, value) } }

    private func set(_ option: CURLoption, _ value: String?) { set { c_curl_set_string($0, $1, option, value) } }

    /// Sets an option, unless one before it was refused.
    private func set(_ body: (UnsafePointer<c_curl_functions>, UnsafeMutableRawPointer) -> CURLcode) {
        guard refusal == CURLE_OK, let library, let easy else { return }
        refusal = body(library.functions, easy)
    }

    private func setCommon() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        set { c_curl_set_pointer($0, $1, CURLOPT_PRIVATE, me) }
        set { c_curl_set_pointer($0, $1, CURLOPT_ERRORBUFFER, errorText) }
        set { c_curl_on_socket($0, $1, Self.openSocket, me) }
        set { c_curl_on_header($0, $1, Self.readHeader, me) }
        set { c_curl_on_body($0, $1, Self.readBody, me) }
        set { c_curl_on_tls($0, $1, Self.prepare, me) }
        set { c_curl_on_progress($0, $1, Self.progress, me) }
        set { c_curl_set_http11($0, $1) }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_NETRC, 0)
        // An empty one keeps those of the environment away.
        set(CURLOPT_PROXY, "")
        // A resumed session is not verified again.
        set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // libcurl would read its own roots for each connection.
        set(CURLOPT_CAINFO, nil)
        set(CURLOPT_CAPATH, nil)
    }

    private func set(_ request: Request) {
        set(CURLOPT_URL, request.url.description)
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .head: set(CURLOPT_NOBODY, 1)
        case .post(let body):
            set(CURLOPT_POST, 1)
            set { c_curl_set_size($0, $1, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)) }
            // Read piece by piece and not set as a whole: what cannot be read once more is not sent once more, over
            // another connection, when one that is used again turns out to be closed. Only the caller knows whether
            // the request may be repeated.
            unsent = body[...]
            set { c_curl_on_upload($0, $1, Self.writeBody, Unmanaged.passUnretained(self).toOpaque()) }
        }
        setFields(request)
        // Whatever the library can undo. Its own field is not sent, as there is one among ours or none at all.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_TIMEOUT_MS, request.timeLimit.milliseconds)
        if let limit = request.connectLimit { set(CURLOPT_CONNECTTIMEOUT_MS, limit.milliseconds) }
        if !request.keepsConnection {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
        set {
            c_curl_set_tls_versions($0, $1, Int32(TLSVersion.tls12.rawValue), Int32(TLSVersion.tls13.rawValue))
        }
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        switch request.route {
        case .direct(let address): pin(address)
        case .proxy(let proxy):
            set(CURLOPT_PROXY, "http://\(Self.bracketed(proxy.address)):\(proxy.port)")
            set(CURLOPT_NOPROXY, "")
            set(CURLOPT_HTTPPROXYTUNNEL, 1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            if let credentials = proxy.credentials { set(CURLOPT_PROXYUSERPWD, credentials) }
        }
    }

    /// Ours, and nothing of the library's but `Host` and the length of a body.
    private func setFields(_ request: Request) {
        let unwanted = ["User-Agent", "Accept", "Accept-Encoding", "Content-Type", "Expect"]
        let lines =
            unwanted.filter { name in !request.fields.contains { $0.isNamed(name) } }.map { Array("\($0):".utf8) }
            // A semicolon makes the library send an empty one.
            + request.fields.map {
                $0.value.isEmpty ? $0.name + Array(";".utf8) : $0.name + Array(": ".utf8) + $0.value
            }
        for line in lines { append(line, to: &fieldList) }
        set { c_curl_set_list($0, $1, CURLOPT_HTTPHEADER, fieldList) }
    }

    private func append(_ line: [UInt8], to list: inout UnsafeMutablePointer<curl_slist>?) {
        let longer = (line + [0]).withUnsafeBytes { line in
            library?.functions.pointee.slist_append(list, line.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        if let longer { list = longer } else { refusal = CURLE_OUT_OF_MEMORY }
    }

    private func set(_ probe: ChainProbe) {
        let host = probe.host.utf8.contains(UInt8(ascii: ":")) ? "[\(probe.host)]" : probe.host
        set(CURLOPT_URL, "https://\(host):\(probe.port)/")
        set(CURLOPT_CONNECT_ONLY, 1)
        set(CURLOPT_CERTINFO, 1)
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_SSL_VERIFYPEER, 0)
        set(CURLOPT_SSL_VERIFYHOST, 0)
        if probe.prepareTLS != nil { set(CURLOPT_SSL_ENABLE_ALPN, 0) }
        set(CURLOPT_TIMEOUT_MS, probe.timeLimit.milliseconds)
        let (oldest, newest) = (probe.versions.lowerBound, probe.versions.upperBound)
        set { c_curl_set_tls_versions($0, $1, Int32(oldest.rawValue), Int32(newest.rawValue)) }
        // Their signatures with SHA-1 are not allowed at OpenSSL's usual security level.
        if oldest < .tls12 { set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT:@SECLEVEL=0") }
        pin(probe.address)
    }

    /// Names the address for whatever host and port, so that no name is looked up.
    private func pin(_ address: IPAddress) {
        append(Array("::\(Self.bracketed(address)):\(port)".utf8), to: &addressList)
        set { c_curl_set_list($0, $1, CURLOPT_CONNECT_TO, addressList) }
    }

    private static func bracketed(_ address: IPAddress) -> String {
        address.isIPv6 ? "[\(address)]" : address.description
    }
}

// The callbacks of libcurl.
extension Transfer {
    private static func of(_ data: UnsafeMutableRawPointer?) -> Transfer? {
        data.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let openSocket: c_curl_socket_callback = { data, _, address in
        guard let transfer = Transfer.of(data), let address else { return CURL_SOCKET_BAD }
        return transfer.open(address)
    }

    /// Compares what is really about to be connected with what was asked for.
    private func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
        var bytes: (UInt64, UInt64) = (0, 0)
        var port: UInt16 = 0
        let isRead = withUnsafeMutableBytes(of: &bytes) { bytes in
            c_curl_address(address, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &port) == 1
        }
        let actual = IPAddress(high: UInt64(bigEndian: bytes.0), low: UInt64(bigEndian: bytes.1))
        guard isRead, actual == self.address, Int(port) == self.port else {
            problem = .otherAddress(actual)
            return CURL_SOCKET_BAD
        }
        let descriptor = c_curl_socket(address)
        if descriptor < 0 {
            let number = errno
            problem = number == EAFNOSUPPORT ? .notConnected(.noLocalAddress) : .outOfResources(number)
        }
        socket = (descriptor, 0)
        return descriptor
    }

    private static let progress: c_curl_progress_callback = { data, _, _, _, _ in
        guard let transfer = Transfer.of(data), transfer.hasReadTooMuch else { return 0 }
        transfer.problem = .tooMuchReceived
        return 1
    }

    /// libcurl counts only what it takes for the header or the body.
    private var hasReadTooMuch: Bool {
        if socket == nil, let descriptor = keptSocket {
            socket = (descriptor, c_tcp_bytes_read(descriptor, 0))
        }
        guard let (descriptor, bytesBefore) = socket else { return false }
        let most = bytesBefore + receivedLimit
        return c_tcp_bytes_read(descriptor, most) > most
    }

    private static let prepare: c_curl_tls_callback = { _, context, data in
        guard let transfer = Transfer.of(data), let context, transfer.prepareTLS?(context) == true else {
            return CURLE_SSL_CERTPROBLEM
        }
        if case .probe(let probe, _) = transfer.work, let prepare = probe.prepareTLS, !prepare(context) {
            return CURLE_SSL_CERTPROBLEM
        }
        transfer.hasBegunTLS = true
        return CURLE_OK
    }

    private static let readHeader: c_curl_data_callback = { bytes, size, count, data in
        guard let transfer = Transfer.of(data), transfer.readHeader(bytes, size * count) else { return 0 }
        return size * count
    }

    private func readHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
        UnsafeRawPointer(bytes)?.withMemoryRebound(to: UInt8.self, capacity: count) { start in
            do throws(HeaderReader.Problem) {
                try header.read(UnsafeBufferPointer(start: start, count: count))
            } catch {
                problem = error == .tooLarge ? .headerTooLarge : .malformedHeader
                return false
            }
            if header.head != nil, headerTime == nil { headerTime = .now - startTime }
            return true
        } ?? false
    }

    private static let writeBody: c_curl_data_callback = { bytes, size, count, data in
        guard let transfer = Transfer.of(data), let bytes else { return 0 }
        let part = transfer.unsent.prefix(size * count)
        transfer.unsent = transfer.unsent.dropFirst(part.count)
        UnsafeMutableRawBufferPointer(start: bytes, count: part.count).copyBytes(from: part)
        return part.count
    }

    private static let readBody: c_curl_data_callback = { bytes, size, count, data in
        guard let transfer = Transfer.of(data), transfer.readBody(bytes, size * count) else { return 0 }
        return size * count
    }

    /// - Returns: whether more is wanted.
    private func readBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
        guard case .request(let request, _) = work, let bytes else { return count == 0 }
        let limit = header.head?.status == 200 ? request.limits.body : request.limits.otherBody
        let room = max(0, limit - body.count)
        UnsafeRawPointer(bytes).withMemoryRebound(to: UInt8.self, capacity: count) { start in
            body += UnsafeBufferPointer(start: start, count: min(room, count))
        }
        isTruncated = count > room
        return !isTruncated
    }
}

extension Duration {
    /// Rounded up, so that no limit becomes none.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        let rest = attoseconds / 1_000_000_000_000_000 + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
        return max(1, Int(clamping: seconds) * 1_000 + Int(rest))
    }
}

extension Request {
    fileprivate var isSendable: Bool { fields.allSatisfy { $0.isSendable && !$0.isNamed("Host") } }
}
