internal import SystemSupport

/// The listening sockets that a service manager has bound, by what they are for.
package struct InheritedListeners: Sendable {
    private static let firstDescriptor: Int32 = 3
    private static let adminName = "admin"

    /// Those named `https`, and all that have no name that means something else.
    package let https: [Listener]
    /// The one named `admin`.
    package let admin: Listener?

    /// None, unless some are given.
    package init(https: [Listener] = [], admin: Listener? = nil) {
        self.https = https
        self.admin = admin
    }

    /// Takes over what was handed over: call it once.
    ///
    /// - Throws: the first descriptor that is no listening TCP socket, or a second `admin`.
    package init(_ environment: ServiceManagerEnvironment) throws(ServiceManagerError) {
        var https: [Listener] = []
        var admin: Listener?
        for index in 0..<environment.socketCount {
            let (descriptor, overflow) = Self.firstDescriptor.addingReportingOverflow(Int32(clamping: index))
            let name = environment.socketName(index)
            let shown = name.isEmpty ? "" : " ('\(name.prefix(60))')"
            let listener: Listener
            do throws(SystemError) {
                listener = try Listener(adopting: overflow ? -1 : descriptor)
            } catch {
                throw ServiceManagerError(
                    "cannot use descriptor \(descriptor)\(shown) of the service manager: \(error.reason)")
            }
            if name != Self.adminName {
                https.append(listener)
            } else if admin == nil {
                admin = listener
            } else {
                throw ServiceManagerError("the service manager has two sockets named 'admin'; expected one")
            }
        }
        self.https = https
        self.admin = admin
    }
}
