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
    private var prepareTLS: (@Sendable (UnsafeMutableRawPointer) -> Bool)?

    private(set) var header: HeaderReader
    private(set) var body: [UInt8] = []
    /// The rest of the request's body that was not sent yet.
    private var unsent: ArraySlice<UInt8> = []
    private(set) var isTruncated = false
    /// When TCP was connected and TLS began, and when the header was complete, in seconds from the start. The library
    /// tells the former only if TLS succeeds.
    private(set) var tlsTime: Double?
    private(set) var headerTime: Double?
    private var startTime = 0.0
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
        var options = Options(library.functions, easy)
        setCommon(&options)
        switch work {
        case .request(let request, _):
            guard request.isSendable else {
                fail(.invalidRequest)
                free()
                return nil
            }
            set(request, &options)
            if let longestIdle { options.set(CURLOPT_MAXAGE_CONN, longestIdle) }
        case .probe(let probe, _): set(probe, &options)
        }
        if options.result != CURLE_OK {
            fail(.other(Int(options.result.rawValue)))
            free()
            return nil
        }
        startTime = Self.now
        return easy
    }

    /// Sets options until one is refused.
    private struct Options {
        let curl: UnsafePointer<c_curl_functions>
        let easy: UnsafeMutableRawPointer
        var result = CURLE_OK

        init(_ curl: UnsafePointer<c_curl_functions>, _ easy: UnsafeMutableRawPointer) {
            (self.curl, self.easy) = (curl, easy)
        }

        mutating func set(_ option: CURLoption, _ value: Int) {
            let (curl, easy) = (curl, easy)
            self { c_curl_set_long(curl, easy, option, value) }
        }

        mutating func set(_ option: CURLoption, _ value: String?) {
            let (curl, easy) = (curl, easy)
            self { c_curl_set_string(curl, easy, option, value) }
        }

        mutating func callAsFunction(_ body: () -> CURLcode) {
            if result == CURLE_OK { result = body() }
        }
    }

    private func setCommon(_ options: inout Options) {
        let (curl, easy) = (options.curl, options.easy)
        let me = Unmanaged.passUnretained(self).toOpaque()
        options { c_curl_set_pointer(curl, easy, CURLOPT_PRIVATE, me) }
        options { c_curl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, errorText) }
        options { c_curl_on_socket(curl, easy, Self.openSocket, me) }
        options { c_curl_on_header(curl, easy, Self.readHeader, me) }
        options { c_curl_on_body(curl, easy, Self.readBody, me) }
        options { c_curl_on_tls(curl, easy, Self.prepare, me) }
        options { c_curl_on_progress(curl, easy, Self.progress, me) }
        options { c_curl_set_http11(curl, easy) }
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_NETRC, 0)
        // An empty one keeps those of the environment away.
        options.set(CURLOPT_PROXY, "")
        // A resumed session is not verified again.
        options.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // libcurl would read its own roots for each connection.
        options.set(CURLOPT_CAINFO, nil)
        options.set(CURLOPT_CAPATH, nil)
    }

    private func set(_ request: Request, _ options: inout Options) {
        let (curl, easy) = (options.curl, options.easy)
        options.set(CURLOPT_URL, request.url.description)
        switch request.method {
        case .get: options.set(CURLOPT_HTTPGET, 1)
        case .head: options.set(CURLOPT_NOBODY, 1)
        case .post(let body):
            options.set(CURLOPT_POST, 1)
            options { c_curl_set_size(curl, easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)) }
            // Read piece by piece and not set as a whole: what cannot be read once more is not sent once more, over
            // another connection, when one that is used again turns out to be closed. Only the caller knows whether
            // the request may be repeated.
            unsent = body[...]
            options { c_curl_on_upload(curl, easy, Self.writeBody, Unmanaged.passUnretained(self).toOpaque()) }
        }
        setFields(request, &options)
        // Whatever the library can undo. Its own field is not sent, as there is one among ours or none at all.
        options.set(CURLOPT_ACCEPT_ENCODING, "")
        options.set(CURLOPT_TIMEOUT_MS, request.timeLimit.milliseconds)
        if let limit = request.connectLimit { options.set(CURLOPT_CONNECTTIMEOUT_MS, limit.milliseconds) }
        if !request.keepsConnection {
            options.set(CURLOPT_FRESH_CONNECT, 1)
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        options {
            c_curl_set_tls_versions(curl, easy, Int32(TLSVersion.tls12.rawValue), Int32(TLSVersion.tls13.rawValue))
        }
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        switch request.route {
        case .direct(let address): pin(address, &options)
        case .proxy(let proxy):
            options.set(CURLOPT_PROXY, "http://\(Self.bracketed(proxy.address)):\(proxy.port)")
            options.set(CURLOPT_NOPROXY, "")
            options.set(CURLOPT_HTTPPROXYTUNNEL, 1)
            options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            if let credentials = proxy.credentials { options.set(CURLOPT_PROXYUSERPWD, credentials) }
        }
    }

    /// Ours, and nothing of the library's but `Host` and the length of a body.
    private func setFields(_ request: Request, _ options: inout Options) {
        let (curl, easy) = (options.curl, options.easy)
        let unwanted = ["User-Agent", "Accept", "Accept-Encoding", "Content-Type", "Expect"]
        let lines =
            unwanted.filter { name in !request.fields.contains { $0.isNamed(name) } }.map { Array("\($0):".utf8) }
            // A semicolon makes the library send an empty one.
            + request.fields.map {
                $0.value.isEmpty ? $0.name + Array(";".utf8) : $0.name + Array(": ".utf8) + $0.value
            }
        for line in lines {
            let list = (line + [0]).withUnsafeBytes { line in
                curl.pointee.slist_append(fieldList, line.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
            guard let list else {
                options { CURLE_OUT_OF_MEMORY }
                return
            }
            fieldList = list
        }
        options { c_curl_set_list(curl, easy, CURLOPT_HTTPHEADER, fieldList) }
    }

    private func set(_ probe: ChainProbe, _ options: inout Options) {
        let (curl, easy) = (options.curl, options.easy)
        let host = probe.host.utf8.contains(UInt8(ascii: ":")) ? "[\(probe.host)]" : probe.host
        options.set(CURLOPT_URL, "https://\(host):\(probe.port)/")
        options.set(CURLOPT_CONNECT_ONLY, 1)
        options.set(CURLOPT_CERTINFO, 1)
        options.set(CURLOPT_FRESH_CONNECT, 1)
        options.set(CURLOPT_SSL_VERIFYPEER, 0)
        options.set(CURLOPT_SSL_VERIFYHOST, 0)
        if probe.prepareTLS != nil { options.set(CURLOPT_SSL_ENABLE_ALPN, 0) }
        options.set(CURLOPT_TIMEOUT_MS, probe.timeLimit.milliseconds)
        let (oldest, newest) = (probe.versions.lowerBound, probe.versions.upperBound)
        options { c_curl_set_tls_versions(curl, easy, Int32(oldest.rawValue), Int32(newest.rawValue)) }
        // Their signatures with SHA-1 are not allowed at OpenSSL's usual security level.
        if oldest < .tls12 { options.set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT:@SECLEVEL=0") }
        pin(probe.address, &options)
    }

    /// Names the address for whatever host and port, so that no name is looked up.
    private func pin(_ address: IPAddress, _ options: inout Options) {
        let (curl, easy) = (options.curl, options.easy)
        guard let list = curl.pointee.slist_append(nil, "::\(Self.bracketed(address)):\(port)") else {
            options { CURLE_OUT_OF_MEMORY }
            return
        }
        addressList = list
        options { c_curl_set_list(curl, easy, CURLOPT_CONNECT_TO, list) }
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
        if transfer.tlsTime == nil { transfer.tlsTime = Transfer.now - transfer.startTime }
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
            if header.head != nil, headerTime == nil { headerTime = Self.now - startTime }
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

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
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
