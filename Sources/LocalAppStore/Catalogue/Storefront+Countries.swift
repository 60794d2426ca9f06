import PurchaseModel

extension Storefront {
    /// The store of a country by its ISO 3166-1 alpha-3 code; nil for countries that are not in the list below.
    init?(countryCode: String) {
        let known: (id: String, currency: String, locale: String)? =
            switch countryCode {
            case "USA": ("143441", "USD", "en_US")
            case "AUS": ("143460", "AUD", "en_AU")
            case "AUT": ("143445", "EUR", "de_AT")
            case "BEL": ("143446", "EUR", "nl_BE")
            case "BRA": ("143503", "BRL", "pt_BR")
            case "CAN": ("143455", "CAD", "en_CA")
            case "CHE": ("143459", "CHF", "de_CH")
            case "CHN": ("143465", "CNY", "zh_CN")
            case "DEU": ("143443", "EUR", "de_DE")
            case "DNK": ("143458", "DKK", "da_DK")
            case "ESP": ("143454", "EUR", "es_ES")
            case "FIN": ("143447", "EUR", "fi_FI")
            case "FRA": ("143442", "EUR", "fr_FR")
            case "GBR": ("143444", "GBP", "en_GB")
            case "IND": ("143467", "INR", "en_IN")
            case "IRL": ("143449", "EUR", "en_IE")
            case "ITA": ("143450", "EUR", "it_IT")
            case "JPN": ("143462", "JPY", "ja_JP")
            case "KOR": ("143466", "KRW", "ko_KR")
            case "MEX": ("143468", "MXN", "es_MX")
            case "NLD": ("143452", "EUR", "nl_NL")
            case "NOR": ("143457", "NOK", "nb_NO")
            case "NZL": ("143461", "NZD", "en_NZ")
            case "POL": ("143478", "PLN", "pl_PL")
            case "PRT": ("143453", "EUR", "pt_PT")
            case "SWE": ("143456", "SEK", "sv_SE")
            default: nil
            }
        guard let known else { return nil }
        self.init(countryCode: countryCode, id: known.id, currency: known.currency, locale: known.locale)
    }
}
