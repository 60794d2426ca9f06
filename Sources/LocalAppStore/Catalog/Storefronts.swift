public import PurchaseModel

/// The name of a locale, such as `en_US`, `zh-Hans` or `ko`, split into its parts so that two names can be compared.
struct LocaleName: Hashable, Sendable {
    /// The language code: two or three letters, in lower case.
    let language: String
    /// The script in lower case, such as `hans` or `hant`; nil if the name states no script and the language is not Chinese.
    let script: String?
    /// The whole name in lower case, with underscores instead of hyphens.
    let normalized: String

    init(_ text: String) {
        normalized = text.lowercased().replacing("-", with: "_")
        let parts = normalized.split(separator: "_", omittingEmptySubsequences: false)
        let language = parts.first.map(String.init) ?? ""
        self.language = language
        let declaredScript = parts.dropFirst().first { $0.count == 4 }.map(String.init)
        let isTraditional = parts.dropFirst().contains { ["tw", "hk", "mo"].contains($0) }
        script = declaredScript ?? (language == "zh" ? (isTraditional ? "hant" : "hans") : nil)
    }

    /// Whether the name has the form of a locale name.
    var isValid: Bool {
        (2...3).contains(language.count) && normalized.utf8.count <= 35
            && normalized.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// Returns the localization that fits this locale best; nil if `texts` is empty.
    ///
    /// The order of preference is: the same locale, the same language and script, the same language, `fallback`, English, the first
    /// localization.
    func choose(from texts: [CatalogLocalization], fallback: LocaleName) -> CatalogLocalization? {
        let candidates = texts.map { (LocaleName($0.locale), $0) }
        for preferred in [self, fallback, LocaleName("en_US")] {
            let found =
                candidates.first { $0.0.normalized == preferred.normalized }
                ?? candidates.first { $0.0.language == preferred.language && $0.0.script == preferred.script }
                ?? candidates.first { $0.0.language == preferred.language }
            if let found { return found.1 }
        }
        return texts.first
    }
}

extension Money {
    /// Returns an estimate of the App Store's price in another currency.
    ///
    /// A price that is already in the currency does not change, and a price of 0 stays 0. Any other price is multiplied by the rates of
    /// ``StoreCurrency`` and rounded to a price that is usual in the currency, such as whole tens of yen or whole kronor. In other
    /// currencies, the price ends in .99, or in 9 below one unit. The result is never 0; a result that exceeds 64 bits becomes the highest
    /// price.
    public func converted(to currency: String) -> Money {
        guard currency != self.currency, milliunits > 0 else { return Money(milliunits: max(0, milliunits), currency: currency) }
        let target = StoreCurrency(currency)
        let (from, to) = (Int128(StoreCurrency(self.currency).milliunitsPerDollar), Int128(target.milliunitsPerDollar))
        let exact = Int128(milliunits) * to / from
        // The product of two 64-bit numbers fits into 128 bits, so the multiplication cannot overflow.
        let step: Int128
        let short: Int128
        if target.step > 0 {
            (step, short) = (Int128(target.step) * 1000, 0)
        } else {
            (step, short) = (exact < 1000 ? 100 : 1000, 10)
        }
        let rounded = max((exact + short + step / 2) / step * step, step) - short
        return Money(milliunits: Int64(clamping: rounded), currency: currency)
    }
}

/// A currency of the App Store, with its conversion rate.
///
/// The rates are close to the rates of 2025 and never change, so that a test always sees the same price. A catalog can set exact prices
/// (``CatalogProduct/prices``).
public struct StoreCurrency: Hashable, Sendable {
    /// The ISO 4217 code.
    public let code: String
    /// The number of fraction digits of an amount, such as 2 for USD and 0 for JPY.
    public let decimals: Int
    /// The value of one US dollar, in thousandths of the currency's main unit.
    public let milliunitsPerDollar: Int64
    /// The number of main units to whose multiples converted prices are rounded; 0 for prices that end in .99.
    public let step: Int64

    /// Creates a currency; values that are out of range are limited to the range.
    public init(code: String, decimals: Int, milliunitsPerDollar: Int64, step: Int64) {
        self.code = code
        self.decimals = min(max(decimals, 0), 3)
        self.milliunitsPerDollar = max(milliunitsPerDollar, 1)
        self.step = max(step, 0)
    }

    /// Creates the currency with an ISO 4217 code; an unknown currency has the rate of the US dollar.
    public init(_ code: String) {
        self = Self.byCode[code] ?? StoreCurrency(code: code, decimals: 2, milliunitsPerDollar: 1000, step: 0)
    }

    /// All currencies of the App Store.
    public static let all: [StoreCurrency] = [
        ("AED", 2, 3_670, 0), ("AUD", 2, 1_500, 0), ("BRL", 2, 5_500, 0), ("CAD", 2, 1_380, 0), ("CHF", 2, 850, 0),
        ("CLP", 0, 950_000, 10), ("CNY", 2, 7_200, 1), ("COP", 2, 4_200_000, 100), ("CZK", 2, 22_500, 1), ("DKK", 2, 6_900, 1),
        ("EGP", 2, 49_000, 0), ("EUR", 2, 920, 0), ("GBP", 2, 780, 0), ("HKD", 2, 7_800, 1), ("HUF", 2, 360_000, 10),
        ("IDR", 2, 16_000_000, 1_000), ("ILS", 2, 3_600, 0), ("INR", 2, 85_000, 1), ("JPY", 0, 150_000, 10), ("KRW", 0, 1_400_000, 100),
        ("KZT", 2, 500_000, 10), ("MXN", 2, 19_000, 1), ("MYR", 2, 4_400, 0), ("NGN", 2, 1_500_000, 100), ("NOK", 2, 10_500, 1),
        ("NZD", 2, 1_680, 0), ("PEN", 2, 3_700, 0), ("PHP", 2, 57_000, 1), ("PKR", 2, 280_000, 10), ("PLN", 2, 3_900, 0),
        ("QAR", 2, 3_640, 0), ("RON", 2, 4_600, 0), ("RUB", 2, 90_000, 1), ("SAR", 2, 3_750, 0), ("SEK", 2, 10_000, 1),
        ("SGD", 2, 1_340, 0), ("THB", 2, 34_000, 1), ("TRY", 2, 38_000, 0), ("TWD", 2, 32_000, 10), ("TZS", 2, 2_600_000, 100),
        ("USD", 2, 1_000, 0), ("VND", 0, 25_000_000, 1_000), ("ZAR", 2, 18_000, 0),
    ].map { StoreCurrency(code: $0.0, decimals: $0.1, milliunitsPerDollar: $0.2, step: $0.3) }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The smallest payable amount, in thousandths of the main unit: 10 for USD (one cent), 1000 for JPY (one yen).
    public var milliunitsPerMinorUnit: Int64 {
        switch decimals {
        case 0: 1000
        case 1: 100
        case 2: 10
        default: 1
        }
    }
}

extension Storefront {
    /// The App Store's storefronts, sorted by country code.
    ///
    /// Functions with a storefront parameter also accept storefronts that are not in this list.
    public static let all: [Storefront] = table.split(separator: "\n").flatMap { $0.split(separator: ";") }.compactMap { row in
        let fields = row.split(separator: " ").map(String.init)
        guard fields.count == 4 else { return nil }
        return Storefront(countryCode: fields[0], id: fields[1], currency: fields[2], locale: fields[3])
    }

    private static let byCountry = Dictionary(all.map { ($0.countryCode, $0) }, uniquingKeysWith: { first, _ in first })

    /// Creates the storefront of a country from its ISO 3166-1 alpha-3 code; nil if the country is not in ``all``.
    public init?(countryCode: String) {
        guard let known = Self.byCountry[countryCode] else { return nil }
        self = known
    }

    /// The country code, storefront identifier, currency and most common locale of each storefront.
    private static let table = """
        AFG 143610 USD en_AF;AGO 143564 USD pt_AO;AIA 143538 USD en_AI;ALB 143575 USD sq_AL;ARE 143481 AED ar_AE;ARG 143505 USD es_AR
        ARM 143524 USD hy_AM;ATG 143540 USD en_AG;AUS 143460 AUD en_AU;AUT 143445 EUR de_AT;AZE 143568 USD az_AZ;BEL 143446 EUR nl_BE
        BEN 143576 USD fr_BJ;BFA 143578 USD fr_BF;BGR 143526 EUR bg_BG;BHR 143559 USD ar_BH;BHS 143539 USD en_BS;BIH 143612 EUR bs_BA
        BLR 143565 USD ru_BY;BLZ 143555 USD en_BZ;BMU 143542 USD en_BM;BOL 143556 USD es_BO;BRA 143503 BRL pt_BR;BRB 143541 USD en_BB
        BRN 143560 USD en_BN;BTN 143577 USD en_BT;BWA 143525 USD en_BW;CAN 143455 CAD en_CA;CHE 143459 CHF de_CH;CHL 143483 CLP es_CL
        CHN 143465 CNY zh_CN;CIV 143527 USD fr_CI;CMR 143574 USD fr_CM;COD 143613 USD fr_CD;COG 143582 USD fr_CG;COL 143501 COP es_CO
        CPV 143580 USD pt_CV;CRI 143495 USD es_CR;CYM 143544 USD en_KY;CYP 143557 EUR el_CY;CZE 143489 CZK cs_CZ;DEU 143443 EUR de_DE
        DMA 143545 USD en_DM;DNK 143458 DKK da_DK;DOM 143508 USD es_DO;DZA 143563 USD ar_DZ;ECU 143509 USD es_EC;EGY 143516 EGP ar_EG
        ESP 143454 EUR es_ES;EST 143518 EUR et_EE;FIN 143447 EUR fi_FI;FJI 143583 USD en_FJ;FRA 143442 EUR fr_FR;FSM 143591 USD en_FM
        GAB 143614 USD fr_GA;GBR 143444 GBP en_GB;GEO 143615 USD ka_GE;GHA 143573 USD en_GH;GMB 143584 USD en_GM;GNB 143585 USD pt_GW
        GRC 143448 EUR el_GR;GRD 143546 USD en_GD;GTM 143504 USD es_GT;GUY 143553 USD en_GY;HKG 143463 HKD zh_HK;HND 143510 USD es_HN
        HRV 143494 EUR hr_HR;HUN 143482 HUF hu_HU;IDN 143476 IDR id_ID;IND 143467 INR en_IN;IRL 143449 EUR en_IE;IRQ 143617 USD ar_IQ
        ISL 143558 USD is_IS;ISR 143491 ILS he_IL;ITA 143450 EUR it_IT;JAM 143511 USD en_JM;JOR 143528 USD ar_JO;JPN 143462 JPY ja_JP
        KAZ 143517 KZT ru_KZ;KEN 143529 USD en_KE;KGZ 143586 USD ru_KG;KHM 143579 USD km_KH;KNA 143548 USD en_KN;KOR 143466 KRW ko_KR
        KWT 143493 USD ar_KW;LAO 143587 USD lo_LA;LBN 143497 USD ar_LB;LBR 143588 USD en_LR;LBY 143567 USD ar_LY;LCA 143549 USD en_LC
        LKA 143486 USD en_LK;LTU 143520 EUR lt_LT;LUX 143451 EUR fr_LU;LVA 143519 EUR lv_LV;MAC 143515 USD zh_MO;MAR 143620 USD ar_MA
        MDA 143523 USD ro_MD;MDG 143531 USD fr_MG;MDV 143488 USD en_MV;MEX 143468 MXN es_MX;MKD 143530 USD mk_MK;MLI 143532 USD fr_ML
        MLT 143521 EUR en_MT;MMR 143570 USD my_MM;MNE 143619 EUR en_ME;MNG 143592 USD mn_MN;MOZ 143593 USD pt_MZ;MRT 143590 USD ar_MR
        MSR 143547 USD en_MS;MUS 143533 USD en_MU;MWI 143589 USD en_MW;MYS 143473 MYR ms_MY;NAM 143594 USD en_NA;NER 143534 USD fr_NE
        NGA 143561 NGN en_NG;NIC 143512 USD es_NI;NLD 143452 EUR nl_NL;NOR 143457 NOK nb_NO;NPL 143484 USD ne_NP;NRU 143606 USD en_NR
        NZL 143461 NZD en_NZ;OMN 143562 USD ar_OM;PAK 143477 PKR en_PK;PAN 143485 USD es_PA;PER 143507 PEN es_PE;PHL 143474 PHP en_PH
        PLW 143595 USD en_PW;PNG 143597 USD en_PG;POL 143478 PLN pl_PL;PRT 143453 EUR pt_PT;PRY 143513 USD es_PY;QAT 143498 QAR ar_QA
        ROU 143487 RON ro_RO;RUS 143469 RUB ru_RU;RWA 143621 USD en_RW;SAU 143479 SAR ar_SA;SEN 143535 USD fr_SN;SGP 143464 SGD en_SG
        SLB 143601 USD en_SB;SLE 143600 USD en_SL;SLV 143506 USD es_SV;SRB 143500 EUR sr_RS;STP 143598 USD pt_ST;SUR 143554 USD nl_SR
        SVK 143496 EUR sk_SK;SVN 143499 EUR sl_SI;SWE 143456 SEK sv_SE;SWZ 143602 USD en_SZ;SYC 143599 USD en_SC;TCA 143552 USD en_TC
        TCD 143581 USD fr_TD;THA 143475 THB th_TH;TJK 143603 USD ru_TJ;TKM 143604 USD tk_TM;TON 143608 USD en_TO;TTO 143551 USD en_TT
        TUN 143536 USD ar_TN;TUR 143480 TRY tr_TR;TWN 143470 TWD zh_TW;TZA 143572 TZS en_TZ;UGA 143537 USD en_UG;UKR 143492 USD uk_UA
        URY 143514 USD es_UY;USA 143441 USD en_US;UZB 143566 USD uz_UZ;VCT 143550 USD en_VC;VEN 143502 USD es_VE;VGB 143543 USD en_VG
        VNM 143471 VND vi_VN;VUT 143609 USD en_VU;XKS 143624 EUR sq_XK;YEM 143571 USD ar_YE;ZAF 143472 ZAR en_ZA;ZMB 143622 USD en_ZM
        ZWE 143605 USD en_ZW
        """
}
