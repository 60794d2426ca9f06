/// A color of the terminal's palette, or a color by its components.
enum TerminalColor: Hashable, Sendable {
    case red, green, yellow, cyan
    case rgb(UInt8, UInt8, UInt8)
}

/// How many colors a terminal shows.
enum TerminalColors: Sendable {
    case none, palette, all

    /// Reads the conventions of terminals: `NO_COLOR` (no-color.org) and `COLORTERM`.
    init(environment: [String: String]) {
        if environment["NO_COLOR"]?.isEmpty == false {
            self = .none
        } else {
            self = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") ? .all : .palette
        }
    }
}

/// The look of a character.
struct TerminalStyle: Hashable, Sendable {
    var foreground: TerminalColor?
    var background: TerminalColor?
    var isBold = false
    var isDim = false
    var isReversed = false

    static let plain = TerminalStyle()
    static let bold = TerminalStyle(isBold: true)
    static let dim = TerminalStyle(isDim: true)
    static let reversed = TerminalStyle(isReversed: true)

    /// The control sequence that selects the style (ECMA-48, SGR).
    func sequence(_ colors: TerminalColors) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isReversed { codes.append("7") }
        if let foreground { codes += Self.codes(of: foreground, 30, colors) }
        if let background { codes += Self.codes(of: background, 40, colors) }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private static func codes(of color: TerminalColor, _ base: Int, _ colors: TerminalColors) -> [String] {
        func part(_ component: UInt8) -> Int { Int(component) * 5 / 255 }
        return switch (color, colors) {
        case (_, .none): []
        case (.red, _): ["\(base + 1)"]
        case (.green, _): ["\(base + 2)"]
        case (.yellow, _): ["\(base + 3)"]
        case (.cyan, _): ["\(base + 6)"]
        case (.rgb(let red, let green, let blue), .all): ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
        case (.rgb(let red, let green, let blue), .palette):
            ["\(base + 8)", "5", "\(16 + 36 * part(red) + 6 * part(green) + part(blue))"]
        }
    }
}

/// A character on the screen; a wide character has an empty cell to its right.
struct TerminalCell: Hashable, Sendable {
    var text: String
    var style: TerminalStyle
}

/// What a terminal shows: rows of cells.
struct TerminalCanvas: Hashable, Sendable {
    let width: Int
    let height: Int
    private var cells: [TerminalCell]

    init(width: Int, height: Int) {
        (self.width, self.height) = (max(width, 0), max(height, 0))
        cells = Array(repeating: TerminalCell(text: " ", style: .plain), count: self.width * self.height)
    }

    /// Writes a line of text, of which only the part inside of the limit is shown.
    ///
    /// - Returns: The column after the text.
    @discardableResult
    mutating func write(_ text: String, row: Int, column: Int, _ style: TerminalStyle = .plain, limit: Int = .max) -> Int {
        var column = column
        let end = min(limit, width)
        for character in text {
            let size = TerminalText.width(of: character)
            guard size > 0 else { continue }
            guard column + size <= end else { break }
            set(TerminalCell(text: String(character), style: style), row: row, column: column)
            if size == 2 { set(TerminalCell(text: "", style: style), row: row, column: column + 1) }
            column += size
        }
        return column
    }

    /// Sets a cell; nothing outside of the canvas.
    mutating func set(_ cell: TerminalCell, row: Int, column: Int) {
        guard (0..<height).contains(row), (0..<width).contains(column) else { return }
        cells[row * width + column] = cell
    }

    /// Fills the cells of a row from one column to another with a style.
    mutating func fill(row: Int, columns: Range<Int>, _ style: TerminalStyle, with text: String = " ") {
        for column in columns { set(TerminalCell(text: text, style: style), row: row, column: column) }
    }

    private func line(_ row: Int) -> ArraySlice<TerminalCell> { cells[row * width..<(row + 1) * width] }

    /// The text of a row without its style.
    func text(_ row: Int) -> String { line(row).map(\.text).joined() }

    /// The bytes that turn the screen with the previous canvas into this one: each changed row is written whole.
    func update(from previous: TerminalCanvas?, _ colors: TerminalColors) -> String {
        let isSameSize = previous?.width == width && previous?.height == height
        var output = isSameSize ? "" : "\u{1B}[0m\u{1B}[2J"
        for row in 0..<height {
            let line = line(row)
            if isSameSize, previous?.line(row) == line { continue }
            output += "\u{1B}[\(row + 1);1H"
            var style: TerminalStyle?
            for cell in line {
                if cell.style != style {
                    output += cell.style.sequence(colors)
                    style = cell.style
                }
                output += cell.text
            }
        }
        return output
    }
}

/// Measures and wraps text by the columns that it takes in a terminal.
enum TerminalText {
    /// The number of columns of a character: 0 for a control character, which is not shown, and 2 for East Asian characters and emoji.
    static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        let category = scalar.properties.generalCategory
        if category == .control || category == .format && character.unicodeScalars.count == 1 { return 0 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks of wide characters (Unicode Standard Annex #11), roughly.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// Breaks a text into lines at its spaces, and inside of words that are longer than a line.
    static func wrap(_ text: String, to width: Int) -> [String] {
        guard width > 1 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
            var lines: [String] = []
            let indentation = min(paragraph.prefix { $0 == " " }.count, width / 2)
            var (line, length) = (String(repeating: " ", count: indentation), indentation)
            var isEmpty = true
            for word in paragraph.split(separator: " ") {
                let size = Self.width(of: String(word))
                if !isEmpty, length + 1 + size > width {
                    lines.append(line)
                    (line, length, isEmpty) = ("", 0, true)
                }
                if !isEmpty { (line, length) = (line + " ", length + 1) }
                isEmpty = false
                for character in word {
                    let size = Self.width(of: character)
                    if length + size > width {
                        lines.append(line)
                        (line, length) = ("", 0)
                    }
                    line.append(character)
                    length += size
                }
            }
            return lines + [line]
        }
    }
}
