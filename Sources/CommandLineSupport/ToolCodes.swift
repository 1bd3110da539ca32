/// The codes of each program, so that the other recognizes them without linking what finds them; written by 'make docs'.
package enum ToolCodes {
    /// The codes that `aasa rules` lists.
    package static let aasa = words(
        """
        accidental-catch-all acme-account acme-challenges acme-clock acme-exclude-unknown acme-folder acme-name
        acme-no-listener acme-order-failed acme-profile acme-renewal-limit acme-renewal-window acme-storage
        acme-terms acme-wildcard address-content-differs address-failed agent-blocked agent-content-differs
        ambiguous-question-mark android-app-missing android-asset-links android-fingerprint-missing
        app-id-unknown app-identity-conflict app-not-in-file app-prefix-mismatch app-store-id-prefix
        apple-only-key apple-sample-rules apps-not-empty assetlinks-content-type assetlinks-not-found
        assetlinks-redirect assetlinks-unreachable blocked-include build-setting-unknown byte-order-mark
        capture-in-host case-failed case-uncertain cdn-failure cdn-no-copy cdn-stale cdn-still-serves
        cdn-unreachable cdn-unreadable check-incomplete combining-marks component-matches-nothing
        conflicting-app-id connect-failed connections-dropped control-character curly-quote dead-exclude
        debug-fingerprint details-as-dictionary developer-mode-only device-blocked dns-failed dns-ipv6-only
        dns-no-address dns-private-address dot-segment-in-pattern double-slash-in-pattern duplicate-app-id
        duplicate-fingerprint duplicate-key duplicate-link duplicate-statement dynamic-rules-discarded
        empty-component empty-file empty-list empty-pattern empty-statement-list empty-variable-value
        encoded-on-android entitlement-domain entitlement-duplicate entitlement-missing entitlement-mode
        entitlement-path entitlement-port entitlement-scheme entitlement-service escape-with-decoding
        example-app-id example-fingerprint excluded-route extra-comma extra-content file-near-limit
        file-only-at-root file-too-large fingerprint-not-listed fragment-in-page fragment-in-path
        fragment-star-matches-absent free-text-capture front-matter generations-differ google-error google-stale
        google-unreachable host-in-path html-instead-of-json http-content-encoding http-content-type
        http-forbidden http-not-found http-octet-stream http-protocol-error http-redirect http-server-error
        http-slow http-timeout http-unexpected-status ignored-paths import-duplicate import-fallback import-http
        import-other-app import-other-domain import-page-link import-row incomplete-statement invalid-app-id
        invalid-case invalid-config-value invalid-escape invalid-fingerprint invalid-include invalid-link-path
        invalid-link-target invalid-links-value invalid-number invalid-package-name invalid-percent-escape
        invalid-relation invalid-route invalid-site invalid-target invalid-utf8 invalid-variable-name
        ipv6-not-checked json-comment leading-hash-in-fragment leading-question-mark-in-query link-not-opened
        link-not-opened-android link-other-app lone-surrogate lowercase-percent-escape malformed-not
        manifest-asset-statements manifest-attribute-ignored manifest-auto-verify manifest-category-missing
        manifest-dead-exclude manifest-encoded-path manifest-host-form manifest-host-missing
        manifest-link-missing manifest-main-and-view manifest-malformed-pattern manifest-matches-nothing
        manifest-mixed-data manifest-no-https manifest-no-links manifest-only-exclusions
        manifest-path-covers-all manifest-path-without-slash manifest-pattern-in-text manifest-regex-in-pattern
        manifest-router-placeholder manifest-scheme-form manifest-star-after-literal manifest-star-stops-early
        manifest-unresolved-value manifest-unusual-path manifest-url-in-path manifest-whole-web merge-conflict
        misplaced-key missing-app-id missing-apps missing-colon missing-comma missing-details missing-key
        missing-leading-slash missing-links-key missing-rules missing-service-apps missing-value misspelt-key
        mixed-generations needs-newer-os nested-service nested-variable nesting-too-deep no-associated-domains
        no-cases no-known-service no-link-statement no-open-button no-routes no-statement-list
        no-usable-statement non-ascii-space non-string-query-value nonstandard-port not-an-object
        not-expressible not-in-component not-json number-in-statement odd-bundle-id odd-query-name
        odd-query-value odd-team-prefix only-exclusions open-host-is-this-host open-host-not-opened
        opened-without-page page-not-opened page-not-opened-android pair-in-array parent-path-included
        pattern-in-defaults placeholder-app-id placeholder-package-name private-key profile-expired
        query-in-path query-order-matters query-star-matches-absent redirect-loop regex-in-pattern
        repeated-wildcard reserved-path root-copy-differs root-not-matched router-placeholder same-app-twice
        second-dynamic-list service-not-in-entitlements shadowed-route shadowed-variable signed-file
        similar-app-ids similar-package-names single-quoted-string site-handles-urls star-before-wildcard
        star-stops-early statement-not-an-object store-cache-damaged store-cache-unwritable store-emptied
        store-history-rewritten store-insecure-connection store-key-missing store-key-wrong store-listen-broken
        store-mass-removal store-node-shared store-not-initialised store-password-in-url store-permission-denied
        store-row-invalid store-schema-newer store-schema-older store-unreachable target-on-this-host
        template-markup tls-expired tls-expires-soon tls-handshake-failed tls-missing-intermediate
        tls-name-mismatch tls-not-yet-valid tls-old-version tls-untrusted tls12-missing tls13-missing
        too-large-to-decide top-level-not-matched trailing-comma trailing-exclude trusts-everyone
        unclosed-bracket unclosed-string unclosed-variable undefined-variable unencoded-character
        unexpected-bracket unexpected-character unhandled-link unknown-capture unknown-config-key unknown-key
        unknown-links-key unlisted-extension unquoted-key unquoted-value unreachable-page unreachable-route
        unreachable-rule unreadable-file unreadable-signature unsent-route unsupported-config-value
        unusable-image unused-suppression unused-variable upload-key-fingerprint url-in-path url-not-decided
        utf-16-text variable-on-android whitespace-around-pattern whitespace-in-app-id wildcard-apex
        wildcard-app-id wrong-type
        """)

    /// The codes that `certcheck codes` lists.
    package static let certcheck = words(
        """
        bag-skipped base64-text ca-expired ca-first clock-suspicious corrupt expired expires-soon issuer-expired
        key-mismatch key-unreadable kind-disagrees legacy-provider-missing mdm-topic-changed no-mac
        no-private-key not-a-certificate not-apple-issued not-found not-push not-yet-valid outlives-issuer
        password-required push-extension-missing several-identities superseded token-key too-large
        topics-malformed trailing-bytes unexpected-topic unprotected-key unreadable unsupported-algorithm
        userid-not-in-topics validity-reversed weak-key weak-signature wrong-intermediate wrong-password
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
