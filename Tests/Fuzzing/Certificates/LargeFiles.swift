import FuzzingSupport
import PushSamples

/// Files of nearly ten megabytes that are made to take long.
package enum LargeFiles {
    private static let size = 10_000_000

    package static func all() throws -> [(name: String, bytes: [UInt8])] {
        try certificates() + keys() + containers() + texts()
    }

    private static func certificates() throws -> [(name: String, bytes: [UInt8])] {
        let universal = SampleProfile.universal.certificate()
        let leaves = try (0..<1_000).map { number in
            try universal.with {
                $0.serial = [0x11, UInt8(number >> 8), UInt8(number & 0xFF)]
                $0.key = .p256(number % 50)
            }.der()
        }
        let authorities = try (0..<1_000).map { number in
            try SampleAuthority(
                name: [.commonName("Apple \(number)")], key: .p256(number % 50), issuer: .root
            ).certificate.der()
        }
        func changed(_ change: (inout SampleCertificate) -> Void) throws -> [UInt8] { try universal.with(change).der() }
        let topics = (0..<300_000).map { ("com.example.\($0)", ["topic"]) }
        let attributes = (0..<300_000).map { SampleName.Attribute.organizationalUnit("unit \($0)") }
        let extensions = (0..<500_000).map { SampleExtension("1.2.3.\($0)", DER.null) }
        return [
            ("leaves", pem(leaves)), ("authorities", pem(authorities)), ("chain", pem(leaves + authorities)),
            ("same", pem([[UInt8]](repeating: leaves[0], count: size / 1_400))),
            ("topics", try changed { $0.extensions = [.topics(topics), .sandbox, .production] }),
            ("purposes", try changed { $0.extensions = [.topics([("a", topics.map(\.0))]), .sandbox, .production] }),
            (
                "topic-names",
                try changed {
                    $0.extensions = [.sandbox, .apple("6.3.4", DER.utf8(String(repeating: "a,", count: size / 2)))]
                }
            ),
            ("subject", try changed { $0.subject = SampleName(attributes) }),
            ("extensions", try changed { $0.extensions = extensions }),
            ("same-extension", try changed { $0.extensions = .init(repeating: .sandbox, count: 400_000) }),
            (
                "common-name",
                try changed { $0.subject = [.commonName(String(repeating: "Apple Push Services: ", count: size / 22))] }
            ),
            ("marks", try changed { $0.subject = [.commonName("a" + HostileText.kinds[1].text(size))] }),
            ("issuer", try changed { $0.issuerName = [.commonName(HostileText.kinds[0].text(size / 4), as: .bmp)] }),
            ("serial", try changed { $0.serial = [UInt8](repeating: 0x55, count: size) }),
            ("modulus", try changed { $0.publicKeyInfo = rsaKey(size) }),
        ]
    }

    private static func keys() throws -> [(name: String, bytes: [UInt8])] {
        let universal = SampleProfile.universal.certificate()
        let certificate = try universal.pem()
        // The library works the public key out: a power with numbers of this size.
        let parameters = DER.sequence(
            number(20_000), DER.integer(magnitude: [UInt8](repeating: 0xFF, count: 32)), number(19_999))
        let dsa = privateKey(DER.sequence(DER.oid("1.2.840.10040.4.1"), parameters), number(19_998))
        let dh = privateKey(
            DER.sequence(DER.oid("1.2.840.113549.1.3.1"), DER.sequence(number(20_000), number(19_999))), number(19_998))
        let rsa = privateKey(
            DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null),
            DER.sequence(of: [DER.integer(0)] + [[UInt8]](repeating: number(200_000), count: 8)))
        let pairs = try (0..<3_000).map { number in
            try universal.with { $0.key = .p256(number % 50) }.pem() + SampleKey.p256(number % 50 + 50).pem()
        }
        return [
            ("dsa", Array((certificate + SamplePEM.block("PRIVATE KEY", dsa)).utf8)),
            ("dh", Array((certificate + SamplePEM.block("PRIVATE KEY", dh)).utf8)),
            ("rsa", Array((certificate + SamplePEM.block("PRIVATE KEY", rsa)).utf8)),
            ("pairs", Array(pairs.joined().utf8)),
            ("dsa-bag", try SamplePKCS12([.plain([.certificate(try universal.der()), .key(dsa)])]).der()),
            (
                "dsa-bags",
                try SamplePKCS12([.plain([.certificate(try universal.der())] + .init(repeating: .key(dsa), count: 150))]
                ).der()
            ),
        ]
    }

    private static func containers() throws -> [(name: String, bytes: [UInt8])] {
        let der = try SampleProfile.universal.certificate().der()
        let key = try SampleKey.p256().pkcs8()
        let mac = SampleMAC(password: .text(CertificateSeeds.password))
        let slow = (0..<1_000).map { number -> SampleBag in
            .shroudedKey(
                key,
                SampleEncryption(.aes256, password: "x").with {
                    $0.salt = [UInt8(number >> 8), UInt8(number & 0xFF)]
                    $0.statedIterations = [0x4C, 0x4B, 0x40]
                })
        }
        let bag = SampleBag.certificate(der).named("name", localKeyID: [1])
        var nested = bag
        for _ in 0..<500 { nested = .nested([nested]) }
        let attribute = DER.sequence(DER.oid("1.2.3"), DER.set(DER.null))
        var attributed = bag
        attributed.attributes += [[UInt8]](repeating: attribute, count: size / attribute.count - 1_000)
        func file(_ parts: [SamplePKCS12.Part]) throws -> [UInt8] { try SamplePKCS12(parts, mac: mac).der() }
        func safe(_ bytes: [UInt8]) throws -> [UInt8] { try file([.plainBytes(bytes)]) }
        let pieces = SamplePKCS12([.plain([bag, .secret([UInt8](repeating: 7, count: 1_500_000))])])
        return [
            ("bags", try file([.plain(.init(repeating: bag, count: 6_000))])),
            ("empty-bags", try file([.plain(.init(repeating: .any("1.2.3", nil), count: 800_000))])),
            ("keys", try file([.plain([bag] + .init(repeating: .key(key), count: 60_000))])),
            ("slow-keys", try file([.plain([bag] + slow)])), ("nested", try file([.plain([nested])])),
            ("attributes", try file([.plain([attributed])])),
            ("parts", try file(.init(repeating: .plain([]), count: 300_000))),
            ("empty-parts", try file(.init(repeating: .empty("1.2.840.113549.1.7.6"), count: 500_000))),
            ("indefinite", try safe(repeated([0x30, 0x80]))),
            ("indefinite-bags", try safe([0x30, 0x80] + repeated([0x30, 0x80, 0, 0]))),
            ("indefinite-file", [0x30, 0x80, 2, 1, 3] + repeated([0x30, 0x80])),
            ("pieces", DER.indefinite(try pieces.der(), pieces: 1)),
            (
                "deep-pieces",
                [0x30, 0x80, 2, 1, 3, 0x30, 0x80] + DER.oid("1.2.840.113549.1.7.1") + [0xA0, 0x80]
                    + repeated([0x24, 0x80])
            ),
            (
                "base64-container",
                Array(SamplePEM.base64(try safe([UInt8](repeating: 0, count: size * 3 / 4 - 1_000))).utf8)
            ),
        ]
    }

    private static func texts() throws -> [(name: String, bytes: [UInt8])] {
        let pem = try SampleProfile.universal.certificate().pem()
        func many(_ text: String) -> [UInt8] { Array(String(repeating: text, count: size / text.utf8.count).utf8) }
        return [
            ("begin-lines", many("-----BEGIN CERTIFICATE-----\n")), ("begin", many("-----BEGIN ")),
            ("dashes", many("-")), ("begin-dashes", Array("-----BEGIN CERTIFICATE-----\n".utf8) + many("-----END")),
            ("empty-blocks", many("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")),
            ("other-blocks", many("-----BEGIN X-----\nAAAA\n-----END X-----\n")),
            ("newlines", many("\n")), ("returns", many("\r")), ("base64", many("MIIA")), ("equals", many("=")),
            ("spaces", Array("MII".utf8) + many(" ")), ("text-then-pem", many("Bag Attributes\n") + Array(pem.utf8)),
            ("label", Array("-----BEGIN ".utf8) + many("X") + Array("-----\n".utf8)),
            ("headers", Array(SamplePEM.begin("EC PRIVATE KEY").utf8) + many("Proc-Type: 4,ENCRYPTED\n")),
            ("zeros", [UInt8](repeating: 0, count: size)), ("sequences", [UInt8](repeating: 0x30, count: size)),
        ]
    }

    private static func repeated(_ bytes: [UInt8]) -> [UInt8] {
        [[UInt8]](repeating: bytes, count: size / bytes.count).flatMap { $0 }
    }

    private static func pem(_ certificates: [[UInt8]]) -> [UInt8] {
        Array(certificates.map { SamplePEM.block("CERTIFICATE", $0) }.joined().utf8.prefix(size))
    }

    private static func number(_ count: Int) -> [UInt8] {
        DER.integer(magnitude: [UInt8](repeating: 0xF1, count: count))
    }

    private static func privateKey(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        DER.sequence(DER.integer(0), algorithm, DER.octets(key))
    }

    private static func rsaKey(_ count: Int) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null),
            DER.bits(DER.sequence(number(count), DER.integer(65_537))))
    }
}
