package import Foundation
package import PurchaseModel

/// The words of a language for the units of a subscription's period.
package struct PeriodWords: Sendable {
    /// The plural rule of a language, which selects the form of a word for a number.
    private enum Plural {
        /// One form for all numbers.
        case none
        /// One form for 1, another for all other numbers.
        case one
        /// One form for 0 and 1, another for all other numbers.
        case zeroAndOne
        /// The forms of Russian: for 1, 21 and so on; for 2 to 4, 22 and so on; for all other numbers.
        case russian
        /// The forms of Polish: for 1; for 2 to 4, 22 and so on; for all other numbers.
        case polish

        func form(of count: Int) -> Int {
            let (tens, hundreds) = (count.magnitude % 10, count.magnitude % 100)
            let isFew = (2...4).contains(tens) && !(12...14).contains(hundreds)
            return switch self {
            case .none: 0
            case .one: count == 1 ? 0 : 1
            case .zeroAndOne: (0...1).contains(count) ? 0 : 1
            case .russian: tens == 1 && hundreds != 11 ? 0 : isFew ? 1 : 2
            case .polish: count == 1 ? 0 : isFew ? 1 : 2
            }
        }
    }

    private let plural: Plural
    /// The full names of the units from day to year, each with its plural forms.
    private let wide: [[String]]
    /// The abbreviated names of the units from day to year, each with its plural forms; empty to use ``wide``.
    private let short: [[String]]
    /// The shortest names of the units from day to year; empty to use ``short``.
    private let narrow: [String]
    /// The names of the units from day to year without a number; empty to use the first form in ``wide``.
    private let names: [String]
    /// Whether the language uses no spaces between a number and its unit, or between a unit and the next number.
    private let isUnspaced: Bool

    private init(
        _ plural: Plural, _ wide: [String], short: [String] = [], narrow: [String] = [], names: [String] = [], isUnspaced: Bool = false
    ) {
        func forms(_ text: String) -> [String] { text.split(separator: "/").map { String($0) } }
        self.plural = plural
        self.wide = wide.map(forms)
        self.short = short.map(forms)
        self.narrow = narrow
        self.names = names
        self.isUnspaced = isUnspaced
    }

    /// Returns the words of a locale's language, or the English words if the table does not contain the language.
    package static func of(_ locale: Locale) -> PeriodWords {
        let language = locale.language.languageCode?.identifier ?? "en"
        guard language == "zh" else { return languages[language] ?? english }
        return locale.language.script?.identifier == "Hant" ? traditionalChinese : simplifiedChinese
    }

    /// Returns the text for a number of units, such as `3 months`.
    func text(_ count: Int, _ unit: BillingPeriod.Unit, _ style: PeriodFormatStyle.Style, in locale: Locale) -> String {
        let index = Self.index(unit)
        let form = plural.form(of: count)
        let space = isUnspaced ? "" : " "
        func pick(_ words: [[String]]) -> String {
            let forms = words.indices.contains(index) ? words[index] : wide[index]
            return forms.indices.contains(form) ? forms[form] : forms.last ?? ""
        }
        switch style {
        case .wide: return "\(count)\(space)\(pick(wide))"
        case .abbreviated: return "\(count)\(space)\(pick(short))"
        case .condensedAbbreviated: return "\(count)\(pick(short))"
        case .narrow: return "\(count)\(narrow.indices.contains(index) ? narrow[index] : pick(short))"
        case .spellOut:
            let formatter = NumberFormatter()
            formatter.numberStyle = .spellOut
            formatter.locale = locale
            return "\(formatter.string(from: NSNumber(value: count)) ?? "\(count)")\(space)\(pick(wide))"
        }
    }

    /// Returns the separator between parts of a period, such as between `1 year` and `3 months`.
    func separator(_ style: PeriodFormatStyle.Style) -> String {
        if isUnspaced { return "" }
        return style == .narrow || style == .condensedAbbreviated ? " " : ", "
    }

    /// Returns the name of a unit without a number, with a capital first letter.
    package func name(_ unit: BillingPeriod.Unit) -> String {
        let index = Self.index(unit)
        if names.indices.contains(index) { return names[index] }
        let word = wide[index].first ?? ""
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    private static func index(_ unit: BillingPeriod.Unit) -> Int {
        switch unit {
        case .day: 0
        case .week: 1
        case .month: 2
        case .year: 3
        }
    }

    private static let english = PeriodWords(
        .one, ["day/days", "week/weeks", "month/months", "year/years"], short: ["day/days", "wk/wks", "mth/mths", "yr/yrs"],
        narrow: ["d", "w", "m", "y"])
    private static let simplifiedChinese = PeriodWords(.none, ["天", "周", "个月", "年"], names: ["天", "周", "月", "年"], isUnspaced: true)
    private static let traditionalChinese = PeriodWords(.none, ["天", "週", "個月", "年"], names: ["天", "週", "月", "年"], isUnspaced: true)

    private static let languages: [String: PeriodWords] = [
        "da": PeriodWords(.one, ["dag/dage", "uge/uger", "måned/måneder", "år"]),
        "de": PeriodWords(
            .one, ["Tag/Tage", "Woche/Wochen", "Monat/Monate", "Jahr/Jahre"], short: ["Tg.", "Wo.", "Mon.", "J"],
            narrow: ["T", "W", "M", "J"]),
        "es": PeriodWords(.one, ["día/días", "semana/semanas", "mes/meses", "año/años"], short: ["d", "sem.", "m.", "a"]),
        "fi": PeriodWords(.one, ["päivä/päivää", "viikko/viikkoa", "kuukausi/kuukautta", "vuosi/vuotta"], short: ["pv", "vk", "kk", "v"]),
        "fr": PeriodWords(.zeroAndOne, ["jour/jours", "semaine/semaines", "mois", "an/ans"], short: ["j", "sem.", "m.", "an/ans"]),
        "it": PeriodWords(
            .one, ["giorno/giorni", "settimana/settimane", "mese/mesi", "anno/anni"], short: ["g", "sett.", "mese/mesi", "anno/anni"]),
        "ja": PeriodWords(.none, ["日", "週間", "か月", "年"], names: ["日", "週", "月", "年"], isUnspaced: true),
        "ko": PeriodWords(.none, ["일", "주", "개월", "년"], names: ["일", "주", "월", "년"], isUnspaced: true),
        "nb": norwegian,
        "nl": PeriodWords(.one, ["dag/dagen", "week/weken", "maand/maanden", "jaar"], short: ["dag/dagen", "wk", "mnd", "jr"]),
        "no": norwegian,
        "pl": PeriodWords(
            .polish, ["dzień/dni/dni", "tydzień/tygodnie/tygodni", "miesiąc/miesiące/miesięcy", "rok/lata/lat"],
            short: ["dz./dni/dni", "tydz./tyg./tyg.", "mies.", "r./lata/lat"]),
        "pt": PeriodWords(
            .zeroAndOne, ["dia/dias", "semana/semanas", "mês/meses", "ano/anos"], short: ["dia/dias", "sem.", "mês/meses", "ano/anos"]),
        "ru": PeriodWords(
            .russian, ["день/дня/дней", "неделя/недели/недель", "месяц/месяца/месяцев", "год/года/лет"],
            short: ["дн.", "нед.", "мес.", "г./г./л."]),
        "sv": PeriodWords(.one, ["dag/dagar", "vecka/veckor", "månad/månader", "år"], short: ["d", "v", "mån", "år"]),
        "tr": PeriodWords(.none, ["gün", "hafta", "ay", "yıl"], short: ["gün", "hf.", "ay", "yıl"]),
    ]
    private static let norwegian = PeriodWords(.one, ["dag/dager", "uke/uker", "måned/måneder", "år"], short: ["d", "u", "md.", "år"])
}
