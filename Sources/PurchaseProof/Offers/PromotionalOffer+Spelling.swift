extension PromotionalOffer {
    /// One way of writing the fields down, right or wrong.
    struct Spelling {
        /// What joins the fields.
        var separator = PromotionalOffer.separator
        /// Whether an empty token was left out.
        var omitsEmpty = false
        /// The fields that were written in upper case.
        var upperCase: Set<Field> = []
        /// Whether the timestamp was written in seconds.
        var inSeconds = false

        /// The one that is right.
        static let proper = Spelling()

        /// All that are tried.
        static let all: [Spelling] = {
            // The proper one, none, and what looks like nothing or separates elsewhere.
            let separators = [PromotionalOffer.separator, "", " ", "\n", ",", "|", "\u{200B}", "\u{2060}", "\\u2063"]
            return separators.flatMap { separator in
                [false, true].flatMap { omitsEmpty in
                    [[], [.nonce], [.token], [.nonce, .token]].flatMap { upperCase in
                        [false, true].map { inSeconds in
                            Spelling(separator: separator, omitsEmpty: omitsEmpty, upperCase: upperCase, inSeconds: inSeconds)
                        }
                    }
                }
            }
        }()

        /// The text that was signed if this is how it was written.
        func text(of offer: PromotionalOffer, _ order: [Field]) -> String {
            order.filter { !(omitsEmpty && $0 == .token && offer.token.isEmpty) }.map { field in
                if field == .timestamp, inSeconds { return String(offer.timestamp / 1000) }
                let value = offer.value(field)
                return upperCase.contains(field) ? value.uppercased() : value
            }.joined(separator: separator)
        }

        /// What is wrong with it.
        func findings(of offer: PromotionalOffer) -> [SigningFinding] {
            var findings: [SigningFinding] = []
            if separator != PromotionalOffer.separator { findings.append(.separator) }
            if omitsEmpty { findings.append(.missingSeparator) }
            findings += [Field.token, .nonce].filter(upperCase.contains).map { .upperCase($0.rawValue) }
            if inSeconds { findings.append(.seconds(Field.timestamp.rawValue)) }
            return findings
        }
    }
}
