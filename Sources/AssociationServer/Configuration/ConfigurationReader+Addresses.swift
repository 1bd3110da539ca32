internal import Diagnostics
internal import EventLoops
internal import JSONSyntax

extension ConfigurationReader {
    mutating func listen(_ listen: ConfigurationValue?) -> [String]? {
        guard let listen else { return nil }
        guard let elements = listen.elements, !elements.isEmpty else {
            let got = listen.elements == nil ? listen.kind : "empty"
            let written = source.text(listen.node.range)
            let fix =
                listen.node.string == nil ? nil : replace(listen.node.range, with: "[\(written)]", "put it in '[ ]'")
            invalid(listen, "'listen' is \(got); expected an array like [\"0.0.0.0:443\"]", fix)
            return nil
        }
        return elements.compactMap { element in
            guard let text = element.node.string?.text else {
                invalid(element, "'listen' has \(element.kind); expected a string like \"0.0.0.0:443\"")
                return nil
            }
            if SocketAddress(text) == nil {
                let expected = "expected an IP address and a port, like \"0.0.0.0:443\" or \"[::1]:8443\""
                invalid(element, "'listen' has \(quoted(text)); \(expected)")
            }
            return text
        }
    }

    mutating func admin(_ admin: ConfigurationValue?) -> String? {
        guard let admin, let text = string(admin), text != AdminAddress.none else { return nil }
        guard let problem = AdminAddress.problem(text, quote: "\"") else { return text }
        let fix = AdminAddress.suggestion(for: text).map {
            replace(admin.node.range, with: "\"\($0)\"", "write \"\($0)\"")
        }
        invalid(admin, "'admin' is \(quoted(text)); \(problem)", fix)
        return nil
    }
}
