internal import COpenSSL

// What a client knows about its server.
extension SampleClient {
    /// The leaf that the server presented, in DER; empty in a resumed session of TLS 1.2.
    package var presented: [UInt8] {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return [] }
        defer { X509_free(certificate) }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(i2d_X509(certificate, nil))))
        bytes.withUnsafeMutableBufferPointer { buffer in
            var place = buffer.baseAddress
            i2d_X509(certificate, &place)
        }
        return bytes
    }

    /// Whether the server has said `close_notify`.
    package var hasGoodbye: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }
}
