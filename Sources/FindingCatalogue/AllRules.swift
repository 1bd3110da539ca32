internal import ACME
internal import AppProjects
internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
internal import DomainDoctor
internal import LinkImport
internal import LinkPages
internal import SiteStore

/// All rules of `aasa`, each declared by the module that reports it.
package enum AllRules {
    package static let catalogue = RuleCatalogue(
        RuleRegistry.fileGroups + [RuleGroup("Files of a server", [.privateKey])] + RuleRegistry.settingGroups + [
            RuleGroup("Link pages and short links", LinkPageRules.all + LinkOpeningRules.all),
            RuleGroup("Exports of short links that are imported", ImportRules.all),
            RuleGroup("Hosts, as aasa doctor finds them", HostRules.all),
            RuleGroup("Copies that Apple and Google keep", CopyRules.all),
            RuleGroup("Apps and their entitlements", AppRules.all),
            RuleGroup("Links, as aasa doctor finds them", LinkRules.all),
            RuleGroup("Automatic certificates (ACME)", IssuanceRules.all),
            RuleGroup("Stores in PostgreSQL", StoreRules.all),
        ])
}
