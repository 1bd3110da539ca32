internal import BoundedText

/// A part of a pattern.
package enum PatternElement: Equatable, Sendable {
    /// A byte that stands for itself.
    case byte(UInt8)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: any run of characters, also none.
    case anyRun
    /// Exactly one character other than `/`. No file can say it; routes can.
    case segmentCharacter
    /// Any run of characters other than `/`, also none. No file can say it; routes can.
    case segmentRun
    /// A variable for one character of a set.
    indirect case character(ByteSet)
    /// A variable for one of several texts, which have no variables; nothing if there is none.
    case oneOf([[PatternElement]])
}

/// A set of bytes.
package struct ByteSet: Hashable, Sendable {
    /// A bit a byte: byte `b` is bit `b % 64` of word `b / 64`.
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package init() {}

    /// The ASCII characters whose bits are set.
    ///
    /// - Parameters:
    ///   - low: Bits of the characters 0 to 63.
    ///   - high: Bits of the characters 64 to 127.
    package init(ascii low: UInt64, _ high: UInt64) { words = (low, high, 0, 0) }

    package init(_ bytes: some Sequence<UInt8>) {
        self.init(Array(bytes))
    }

    package init(_ bytes: [UInt8]) {
        var (low, letters, upper, top): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                let bit: UInt64 = 1 &<< UInt64(byte & 63)
                switch byte >> 6 {
                case 0: low |= bit
                case 1: letters |= bit
                case 2: upper |= bit
                default: top |= bit
                }
            }
        }
        words = (low, letters, upper, top)
    }

    package mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    package func union(_ other: ByteSet) -> ByteSet {
        ByteSet(bytes + other.bytes)
    }

    package func isSubset(of other: ByteSet) -> Bool {
        words.0 & ~other.words.0 == 0 && words.1 & ~other.words.1 == 0 && words.2 & ~other.words.2 == 0
            && words.3 & ~other.words.3 == 0
    }

    /// The bytes, ascending.
    package var bytes: [UInt8] { (0...255).filter(contains) }

    package static func == (a: ByteSet, b: ByteSet) -> Bool {
        a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2 && a.words.3 == b.words.3
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

/// The variables that every file has (matching.md, section 5).
package enum BuiltInVariable: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit, region, lang

    /// The variable of a name, which a file may have chosen: compared as bytes, as `==` would normalise it for each case.
    package init?(rawValue: String) {
        guard let named = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(rawValue.utf8) }) else {
            return nil
        }
        self = named
    }

    /// The element for the variable's values, folded if case does not matter; made once, a pattern may name thousands.
    package func element(caseSensitive: Bool) -> PatternElement {
        switch self {
        case .region: caseSensitive ? Self.regions : Self.foldedRegions
        case .lang: Self.languages
        default: (caseSensitive ? Self.sets : Self.foldedSets)[self] ?? .character(characters)
        }
    }

    private static let sets = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, PatternElement.character($0.characters)) })
    private static let foldedSets = Dictionary(
        uniqueKeysWithValues: allCases.map {
            ($0, PatternElement.character(ByteSet($0.characters.bytes.map(CaseFolding.ascii))))
        })

    private var characters: ByteSet {
        switch self {
        case .alpha: Self.upperCase.union(Self.lowerCase)
        case .upper: Self.upperCase
        case .lower: Self.lowerCase
        case .alnum: Self.upperCase.union(Self.lowerCase).union(Self.digits)
        case .digit: Self.digits
        case .xdigit: Self.digits.union(ByteSet(0x41...0x46)).union(ByteSet(0x61...0x66))
        case .region, .lang: ByteSet()
        }
    }

    private static let regions = words(OpenDecisions.regions, isFolded: false)
    private static let foldedRegions = words(OpenDecisions.regions, isFolded: true)
    private static let languages = words(OpenDecisions.languages, isFolded: true)

    private static func words(_ codes: [String], isFolded: Bool) -> PatternElement {
        .oneOf(codes.map { code in code.utf8.map { .byte(isFolded ? CaseFolding.ascii($0) : $0) } })
    }

    private static let upperCase = ByteSet(0x41...0x5A)
    private static let lowerCase = ByteSet(0x61...0x7A)
    private static let digits = ByteSet(0x30...0x39)
}

/// The languages that the built-in variable `lang` stands for.
///
/// A fixed table, never the machine's locale data, which differs from one system to the next.
package enum LanguageCodes {
    /// The 183 codes of ISO 639-1 and the 486 terminological ones of ISO 639-2; lower case, sorted.
    ///
    /// Neither the withdrawn `bh` and `sh` nor the range for local use, `qaa` to `qtz`, is among them. That these are the
    /// codes meant is a decision: matching.md, section 5.
    package static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        aa aar ab abk ace ach ada ady ae af afa afh afr ain ak aka akk ale alg alt am amh an ang anp apa ar ara arc
        arg arn arp art arw as asm ast ath aus av ava ave awa ay aym az aze ba bad bai bak bal bam ban bas bat be bej
        bel bem ben ber bg bho bi bih bik bin bis bla bm bn bnt bo bod bos br bra bre bs btk bua bug bul byn ca cad
        cai car cat cau ce ceb cel ces ch cha chb che chg chk chm chn cho chp chr chu chv chy cmc cnr co cop cor cos
        cpe cpf cpp cr cre crh crp cs csb cu cus cv cy cym da dak dan dar day de del den deu dgr din div doi dra dsb
        dua dum dv dyu dz dzo ee efi egy eka el ell elx en eng enm eo epo es est et eu eus ewe ewo fa fan fao fas fat
        ff fi fij fil fin fiu fj fo fon fr fra frm fro frr frs fry ful fur fy ga gaa gay gba gd gem gez gil gl gla gle
        glg glv gmh gn goh gon gor got grb grc grn gsw gu guj gv gwi ha hai hat hau haw he heb her hi hil him hin hit
        hmn hmo ho hr hrv hsb ht hu hun hup hy hye hz ia iba ibo id ido ie ig ii iii ijo ik iku ile ilo ina inc ind
        ine inh io ipk ira iro is isl it ita iu ja jav jbo jpn jpr jrb jv ka kaa kab kac kal kam kan kar kas kat kau
        kaw kaz kbd kg kha khi khm kho ki kik kin kir kj kk kl km kmb kn ko kok kom kon kor kos kpe kr krc krl kro kru
        ks ku kua kum kur kut kv kw ky la lad lah lam lao lat lav lb lez lg li lim lin lit ln lo lol loz lt ltz lu lua
        lub lug lui lun luo lus lv mad mag mah mai mak mal man map mar mas mdf mdr men mg mga mh mi mic min mis mk mkd
        mkh ml mlg mlt mn mnc mni mno moh mon mos mr mri ms msa mt mul mun mus mwl mwr my mya myn myv na nah nai nap
        nau nav nb nbl nd nde ndo nds ne nep new ng nia nic niu nl nld nn nno no nob nog non nor nqo nr nso nub nv nwc
        ny nya nym nyn nyo nzi oc oci oj oji om or ori orm os osa oss ota oto pa paa pag pal pam pan pap pau peo phi
        phn pi pl pli pol pon por pra pro ps pt pus qu que raj rap rar rm rn ro roa roh rom ron ru run rup rus rw sa
        sad sag sah sai sal sam san sas sat sc scn sco sd se sel sem sg sga sgn shn si sid sin sio sit sk sl sla slk
        slv sm sma sme smi smj smn smo sms sn sna snd snk so sog som son sot spa sq sqi sr srd srn srp srr ss ssa ssw
        st su suk sun sus sux sv sw swa swe syc syr ta tah tai tam tat te tel tem ter tet tg tgk tgl th tha ti tig tir
        tiv tk tkl tl tlh tli tmh tn to tog ton tpi tr ts tsi tsn tso tt tuk tum tup tur tut tvl tw twi ty tyv udm ug
        uga uig uk ukr umb und ur urd uz uzb vai ve ven vi vie vo vol vot wa wak wal war was wen wln wo wol xal xh xho
        yao yap yi yid yo yor ypk za zap zbl zen zgh zh zha zho znd zu zul zun zxx zza
        """
}

/// The regions that the built-in variable `region` stands for.
///
/// A fixed table, never the machine's locale data, which differs from one system to the next.
package enum RegionCodes {
    /// The 249 codes of ISO 3166-1 alpha-2 and AC, CP, CQ, DG, EA, IC, TA and XK; uppercase, sorted.
    ///
    /// Which eight are added is a decision: matching.md, section 5.
    package static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
        BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CU CV CW CX CY CZ DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET
        FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN
        IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG
        MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL
        PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD
        TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """
}

/// The way in which a rule compares: with or without regard to case, with the URL as written or decoded.
package struct Comparison: Hashable, Sendable {
    package let caseSensitive: Bool
    package let percentEncoded: Bool

    package init(caseSensitive: Bool, percentEncoded: Bool) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// A part of a URL as the rule sees it: decoded and folded, as far as it asks for that.
    package func prepare(_ text: some Collection<UInt8>) -> [UInt8] {
        fold(percentEncoded ? Array(text) : DecodedText(Array(text)).bytes)
    }

    /// Folds case, if this comparison has no regard to it.
    package func fold(_ text: [UInt8]) -> [UInt8] {
        guard !caseSensitive else { return text }
        guard OpenDecisions.foldsBeyondASCII(percentEncoded: percentEncoded), text.contains(where: { $0 >= 0x80 })
        else { return text.map(CaseFolding.ascii) }
        return text.withUnsafeBytes { source in
            Array(unsafeUninitializedCapacity: source.count * CaseFolding.growth) { target, count in
                count = CaseFolding.foldUTF8(source, into: UnsafeMutableRawBufferPointer(target)) ?? 0
            }
        }
    }

    /// The name of a query item as the rule sees it.
    package func prepareName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold
            ? prepare(name) : Comparison(caseSensitive: true, percentEncoded: percentEncoded).prepare(name)
    }

    /// The name of a query item as a rule writes it.
    package func foldName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold ? fold(name) : name
    }
}
