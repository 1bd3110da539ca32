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
        var known: [(text: String, address: SocketAddress)] = []
        return elements.compactMap { element in
            guard let text = element.node.string?.text else {
                invalid(element, "'listen' has \(element.kind); expected a string like \"0.0.0.0:443\"")
                return nil
            }
            guard let wanted = ListenAddress(text) else {
                invalid(element, "'listen' has \(quoted(text)); expected \(ListenAddress.expected)")
                return text
            }
            // Each port 0 is another free one.
            let rival = known.first { $0.address.port != 0 && wanted.addresses.contains($0.address) }
            if let other = rival?.text {
                let same = other == text ? "twice" : "and \(quoted(other)), which is the same address"
                invalid(element, "'listen' has \(quoted(text)) \(same); expected each address once")
            }
            known += wanted.addresses.map { (text, $0) }
            return text
        }
    }

    mutating func defaultSite(_ site: ConfigurationValue?) -> String? {
        guard let site, !site.isNull, let text = string(site) else { return nil }
        if HostName.isValid(text) { return text }
        invalid(site, "'defaultSite' is \(quoted(text)); expected a host name, like \"example.com\"")
        return nil
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
