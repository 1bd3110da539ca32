internal import BoundedText
internal import CNGHTTP2
package import SystemSupport

/// libnghttp2, opened when a server that speaks HTTP/2 starts. Programs that never ask neither load nor need it.
package final class HTTP2Library: @unchecked Sendable {
    /// The table is written once, before anyone else can see it, and stays for good: the library does.
    let functions: c_nghttp2_table
    /// Copied into each session.
    let callbacks: OpaquePointer
    /// Copied into each session.
    let options: OpaquePointer

    /// The most entries in one SETTINGS frame.
    private static let maxSettings = 32
    /// The most acknowledgements of PING and SETTINGS that wait to be sent.
    private static let maxAcknowledgements = 100

    /// The library of the process.
    package static func shared() throws(MissingLibrary) -> HTTP2Library { try opened.get() }

    private static let opened = Result { () throws(MissingLibrary) in try HTTP2Library() }

    /// - Parameter file: what the dynamic loader looks for.
    package init(_ file: String = "libnghttp2.so.14") throws(MissingLibrary) {
        functions = try OpenedLibrary.functions(
            file, name: "libnghttp2", package: "libnghttp2-14", into: c_nghttp2()
        ) { c_nghttp2_open($0, $1).map { String(cText: $0) } }
        var (callbacks, options): (OpaquePointer?, OpaquePointer?)
        _ = functions.pointee.session_callbacks_new(&callbacks)
        _ = functions.pointee.option_new(&options)
        guard let callbacks, let options else {
            throw MissingLibrary(name: "libnghttp2", package: "libnghttp2-14", reason: "it is out of memory")
        }
        (self.callbacks, self.options) = (callbacks, options)
        SessionCallbacks.set(in: callbacks, functions)
        // What comes after a head is never credited, see `SessionMemory.judge(_:)`.
        functions.pointee.option_set_no_auto_window_update(options, 1)
        functions.pointee.option_set_no_closed_streams(options, 1)
        functions.pointee.option_set_max_settings(options, Self.maxSettings)
        functions.pointee.option_set_max_outbound_ack(options, Self.maxAcknowledgements)
    }

    deinit {
        functions.pointee.session_callbacks_del(callbacks)
        functions.pointee.option_del(options)
    }
}
