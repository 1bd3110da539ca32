package import AppSiteAssociation

/// How a decision about a URL is shown.
package protocol RouteReport {
    /// - Parameter trace: The rules that were tried, if they are wanted.
    func answer(_ url: String, _ decision: RoutingDecision, _ remarks: RouteRemarks, trace: [RuleTrial]?) -> String

    /// For a text that is no http or https URL with a host.
    func refusal(_ url: String) -> String
}
