/// The sample pictures of the photo filters, drawn with two pixels in each character of a terminal.
enum TerminalPicture {
    /// A pixel with components from 0 to 1.
    private struct Pixel {
        var red, green, blue: Double

        init(_ hex: UInt32) {
            (red, green, blue) = (
                Double(hex >> 16 & 0xFF) / 255, Double(hex >> 8 & 0xFF) / 255, Double(hex & 0xFF) / 255
            )
        }

        init(_ red: Double, _ green: Double, _ blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

        var color: TerminalColor {
            func part(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 1) * 255) }
            return .rgb(part(red), part(green), part(blue))
        }

        func mixed(with other: Pixel, _ share: Double) -> Pixel {
            func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * share }
            return Pixel(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
        }

        func filtered(_ filter: ShopPhone.Filter) -> Pixel {
            let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
            return switch filter {
            case .none: self
            // The matrix of the sepia filter (CSS Filter Effects, section 13.2).
            case .sepia:
                Pixel(
                    0.393 * red + 0.769 * green + 0.189 * blue, 0.349 * red + 0.686 * green + 0.168 * blue,
                    0.272 * red + 0.534 * green + 0.131 * blue)
            case .moonlight: Pixel(light * 0.38, light * 0.48, light * 0.78)
            }
        }
    }

    /// Returns the rows of a picture.
    ///
    /// - Parameter number: The picture's number in the list of pictures.
    static func rows(_ number: Int, filter: ShopPhone.Filter, width: Int, height: Int) -> [[TerminalCell]] {
        func color(_ column: Int, _ row: Int) -> TerminalColor {
            let (x, y) = ((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height * 2))
            return (number == 1 ? ladder(x, y) : jungle(x, y)).filtered(filter).color
        }
        return (0..<height).map { row in
            (0..<width).map { column in
                TerminalCell(
                    text: "▀", style: TerminalStyle(foreground: color(column, 2 * row), background: color(column, 2 * row + 1)))
            }
        }
    }

    /// Whether a point lies in an ellipse.
    private static func isIn(_ x: Double, _ y: Double, _ centerX: Double, _ centerY: Double, _ radiusX: Double, _ radiusY: Double) -> Bool {
        let (dx, dy) = ((x - centerX) / radiusX, (y - centerY) / radiusY)
        return dx * dx + dy * dy <= 1
    }

    /// Whether a point is on one of the four leaves of a palm, from the top of its trunk; leaves are parabolas.
    private static func isLeaf(_ x: Double, _ y: Double) -> Bool {
        let distance = abs(x)
        let isLow = distance < 0.12 && abs(y + 0.01 - 9 * distance * distance) < 0.03
        let isHigh = distance < 0.1 && abs(y + 0.03 + 1.4 * distance - 14 * distance * distance) < 0.03
        return isLow || isHigh
    }

    /// A monkey with a banana between hills and palms.
    private static func jungle(_ x: Double, _ y: Double) -> Pixel {
        if isIn(x, y, 0.52, 0.49, 0.035, 0.05) { return Pixel(0xE6C199) }
        if isIn(x, y, 0.5, 0.45, 0.062, 0.09) || isIn(x, y, 0.435, 0.43, 0.022, 0.035) || isIn(x, y, 0.565, 0.43, 0.022, 0.035) {
            return Pixel(0x8A5A33)
        }
        if isIn(x, y, 0.49, 0.62, 0.06, 0.12) { return Pixel(0x7A4B28) }
        if isIn(x, y, 0.64, 0.47, 0.035, 0.07), !isIn(x, y, 0.665, 0.43, 0.035, 0.07) { return Pixel(0xF5C542) }
        for (palm, top) in [(0.19, 0.39), (0.86, 0.5)] {
            if isLeaf(x - palm, y - top) { return Pixel(0x1F6B3F) }
            if abs(x - palm) < 0.013, y > top { return Pixel(0x6B4A2B) }
        }
        // Hills are parabolas.
        if y > 0.86 + 0.12 * (x - 0.5) * (x - 0.5) { return Pixel(0x1C5A38) }
        if y > 0.68 + 0.5 * (x - 0.35) * (x - 0.35) { return Pixel(0x2F7D4F) }
        if y > 0.55 + 0.6 * (x - 0.75) * (x - 0.75) { return Pixel(0x6CAE75) }
        if isIn(x, y, 0.76, 0.25, 0.08, 0.12) { return Pixel(0xFFD36B) }
        return Pixel(0x8ED1E8).mixed(with: Pixel(0xF7E6B0), y)
    }

    /// A ladder to the bananas of an island's palm.
    private static func ladder(_ x: Double, _ y: Double) -> Pixel {
        if isIn(x, y, 0.53, 0.38, 0.022, 0.06) || isIn(x, y, 0.58, 0.39, 0.022, 0.06) { return Pixel(0xF5C542) }
        if isLeaf(x - 0.54, y - 0.3) { return Pixel(0x2C8A55) }
        // Two rails with rungs lean against the trunk.
        let rail = 0.36 + (0.66 - y) * 0.42
        if (0.34...0.66).contains(y) {
            if abs(x - rail) < 0.01 || abs(x - rail - 0.07) < 0.01 { return Pixel(0xB8772F) }
            if x > rail, x < rail + 0.07, Int(y * 40) % 3 == 0 { return Pixel(0xB8772F) }
        }
        if abs(x - 0.54 - (y - 0.45) * 0.03) < 0.013, y > 0.3, y < 0.64 { return Pixel(0x6B4A2B) }
        if y < 0.68, isIn(x, y, 0.52, 0.7, 0.22, 0.16) { return Pixel(0xE8CF8F) }
        if y > 0.68 { return Pixel(Int(y * 40 + x * 8) % 5 == 0 ? 0x3A91AD : 0x1D6F8C) }
        if isIn(x, y, 0.22, 0.24, 0.11, 0.06) || isIn(x, y, 0.3, 0.21, 0.08, 0.07) || isIn(x, y, 0.8, 0.16, 0.11, 0.055) {
            return Pixel(0xF4F8FA)
        }
        return Pixel(0x3B6EA5).mixed(with: Pixel(0xCFE4F2), y)
    }
}
