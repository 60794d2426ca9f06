extension Double {
    /// Returns the number with `decimals` decimal places and commas between thousands, in every locale.
    func formatted(_ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (self * scale).rounded()
        guard scaled.magnitude < 1e15 else { return "\(self)" }
        let digits = String(Int64(scaled.magnitude))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let whole = padded.dropLast(decimals)
        let grouped = whole.enumerated().map { index, digit in
            index > 0 && (whole.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
        }
        let fraction = decimals > 0 ? "." + padded.suffix(decimals) : ""
        return (self < 0 ? "-" : "") + grouped.joined() + fraction
    }
}
