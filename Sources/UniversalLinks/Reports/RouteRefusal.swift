/// What is said about a text that is no http or https URL with a host.
package enum RouteRefusal {
    package static let message = "not an http or https URL with a host; write it as https://example.com/path"
}
