import PurchaseModel

/// What a person has selected in the terminal, and what the keys do.
struct TerminalModel: Sendable {
    /// What a key leads to.
    enum Outcome: Hashable, Sendable {
        case none
        case act(ShopAction)
        case quit
    }

    /// The screens beside those of the phone.
    private enum Extra: Hashable { case controls, messages }

    /// A tab of the bar at the top.
    private struct Tab {
        let title: String
        let isSelected: Bool
        let screen: String?
        var extra: Extra?
    }

    /// The smallest window in which the app is shown.
    private static let minimum = (width: 40, height: 12)
    /// The width from which the messages are shown beside the phone.
    private static let wide = 116
    private static let phoneWidth = 72

    private static func fits(_ width: Int, _ height: Int) -> Bool { width >= minimum.width && height >= minimum.height }

    private var extra: Extra?
    private var quantities: [ProductID: Int] = [:]
    private var form: TerminalForm?
    /// The identifier of the focused row, and its number among those that can be focused, should it disappear.
    private var focus: (id: String?, number: Int) = (nil, 0)
    /// The focus of the screen behind a sheet.
    private var focusBehind: (id: String?, number: Int) = (nil, 0)
    private var scroll = 0
    /// Whether the person scrolls, so that the focused row need not be visible.
    private var isScrolling = false

    // MARK: - Keys

    /// Carries out what a key does on the screen, or returns what it does outside of it.
    mutating func press(_ key: TerminalKey, in view: PageView, width: Int, height: Int) -> Outcome {
        if key == .interrupt { return .quit }
        // Nobody sees on what another key would act.
        guard Self.fits(width, height) else { return key == .character("q") ? .quit : .none }
        update(view)
        let rows = rows(of: view, width: width)
        let choices = rows.filter { $0.id != nil }
        let number = focusedNumber(in: choices)
        let row = number.map { choices[$0] }
        if let field = row?.field, let outcome = edit(field, key) { return outcome }
        switch key {
        case .up: move(to: (number ?? 0) - 1, in: choices)
        case .down: move(to: (number ?? -1) + 1, in: choices)
        case .home: move(to: 0, in: choices)
        case .end: move(to: choices.count - 1, in: choices)
        case .pageUp: (scroll, isScrolling) = (max(scroll - 8, 0), true)
        case .pageDown: (scroll, isScrolling) = (scroll + 8, true)
        case .left, .right:
            guard let product = row?.quantity else { return key == .left ? turn(-1, view) : turn(1, view) }
            quantities[product] = min(max((quantities[product] ?? 1) + (key == .left ? -1 : 1), 1), 10)
        case .tab: return turn(1, view)
        case .backTab: return turn(-1, view)
        case .escape: return leave(view)
        case .enter, .character(" "): return row.map { press($0) } ?? .none
        case .character("q"): return form == nil ? .quit : .none
        case .character(let character):
            guard form == nil, let number = character.wholeNumberValue, character.isASCII else { return .none }
            return select(number - 1, view)
        case .backspace, .interrupt: break
        }
        return .none
    }

    /// Edits a field of a sheet; returns nil for a key that edits nothing.
    private mutating func edit(_ field: String, _ key: TerminalKey) -> Outcome? {
        switch key {
        case .character(let character): form?.insert(character, into: field)
        case .backspace: form?.removeLast(from: field)
        // The next row follows a field, as the next field does in a form.
        case .enter: isScrolling = false
        default: return nil
        }
        guard key == .enter else { return Outcome.none }
        focus = (nil, focus.number + 1)
        return Outcome.none
    }

    private mutating func press(_ row: TerminalRow) -> Outcome {
        switch row.press {
        case .act(let action): return .act(action)
        case .buy(let product): return .act(.tap(.buy(product, quantity: quantities[product] ?? 1, offer: nil)))
        case .toggle(let option): form?.chosen.formSymmetricDifference([option])
        case .choose(let reason): form?.reason = reason
        case .answer(let kind):
            guard let form, let answer = form.answer(kind) else { return .none }
            return .act(.answer(sheet: form.sheet, answer))
        case nil: break
        }
        return .none
    }

    /// Closes what is on top of the screen.
    private mutating func leave(_ view: PageView) -> Outcome {
        if let form { return .act(.answer(sheet: form.sheet, .cancel)) }
        if extra != nil {
            show(nil)
            return .none
        }
        if view.phone.books?.reading != nil { return .act(.tap(.closeBook)) }
        if view.phone.settings?.receipt != nil { return .act(.tap(.hideReceipt)) }
        return view.phone.notice == nil ? .none : .act(.tap(.dismissNotice))
    }

    // MARK: - Tabs

    private func tabs(_ view: PageView) -> [Tab] {
        let text = PageLanguage(rawValue: view.lang) ?? .english
        return view.phone.tabs.map { Tab(title: $0.title, isSelected: extra == nil && $0.isSelected, screen: $0.value) } + [
            Tab(title: text("Controls"), isSelected: extra == .controls, screen: nil, extra: .controls),
            Tab(title: text("Messages"), isSelected: extra == .messages, screen: nil, extra: .messages),
        ]
    }

    /// Shows the screen that is a number of tabs away.
    private mutating func turn(_ distance: Int, _ view: PageView) -> Outcome {
        let tabs = tabs(view)
        guard form == nil, let current = tabs.firstIndex(where: \.isSelected) else { return .none }
        return select((current + distance + tabs.count) % tabs.count, view)
    }

    private mutating func select(_ number: Int, _ view: PageView) -> Outcome {
        let tabs = tabs(view)
        guard tabs.indices.contains(number) else { return .none }
        show(tabs[number].extra)
        return tabs[number].screen.map { .act(.tap(.show($0))) } ?? .none
    }

    private mutating func show(_ extra: Extra?) {
        self.extra = extra
        (focus, scroll, isScrolling) = ((nil, 0), 0, false)
    }

    // MARK: - Focus

    private mutating func move(to number: Int, in choices: [TerminalRow]) {
        guard !choices.isEmpty else { return }
        let number = min(max(number, 0), choices.count - 1)
        (focus, isScrolling) = ((choices[number].id, number), false)
    }

    private func focusedNumber(in choices: [TerminalRow]) -> Int? {
        guard !choices.isEmpty else { return nil }
        return choices.firstIndex { $0.id == focus.id } ?? min(focus.number, choices.count - 1)
    }

    /// Begins a form for a sheet that has appeared, and forgets the one of a sheet that has disappeared.
    private mutating func update(_ view: PageView) {
        guard form?.sheet != view.phone.sheet?.id else { return }
        if form == nil { focusBehind = focus }
        form = view.phone.sheet.map { TerminalForm($0) }
        (focus, scroll, isScrolling) = (focusBehind, 0, false)
        if let sheet = view.phone.sheet {
            // A field waits for its text; otherwise the button that agrees is pressed with one key.
            focus = (sheet.field == nil ? sheet.agree == nil ? "cancel" : "agree" : "field text", 0)
        }
    }

    // MARK: - Drawing

    private func rows(of view: PageView, width: Int) -> [TerminalRow] {
        if let sheet = view.phone.sheet, let form { return TerminalRows.sheet(sheet, form, in: view, width: sheetWidth(width)) }
        return screenRows(of: view, width: width)
    }

    private func screenRows(of view: PageView, width: Int) -> [TerminalRow] {
        let width = min(width, Self.phoneWidth)
        return switch extra {
        case .controls: TerminalRows.controls(view, width: width)
        case .messages: TerminalRows.messages(view, width: width)
        case nil: TerminalRows.screen(view, width: width, quantities: quantities)
        }
    }

    private func sheetWidth(_ width: Int) -> Int { min(width - 4, 54) }

    /// Draws the window.
    mutating func draw(_ view: PageView, width: Int, height: Int) -> TerminalCanvas {
        var canvas = TerminalCanvas(width: width, height: height)
        update(view)
        let text = PageLanguage(rawValue: view.lang) ?? .english
        guard Self.fits(width, height) else {
            let sentence = text(
                "The window is too small: make it at least \(Self.minimum.width) columns wide and \(Self.minimum.height) high.")
            for (row, line) in TerminalText.wrap(sentence, to: width).enumerated() { canvas.write(line, row: row, column: 0) }
            return canvas
        }
        drawHeader(view, text, on: &canvas)
        let area = 3..<height - 1
        let rows = rows(of: view, width: width)
        let choices = rows.filter { $0.id != nil }
        // A key acts on the row that the person saw, also if others appear above it.
        let focused = focusedNumber(in: choices).map { choices[$0].id } ?? nil
        focus = (focused, focusedNumber(in: choices) ?? 0)
        if view.phone.sheet == nil {
            draw(rows, focused: focused, in: area, columns: 0..<min(width, Self.phoneWidth), on: &canvas)
        } else {
            // The screen stays visible behind the sheet, but has no focus.
            for (row, line) in zip(area, screenRows(of: view, width: width)) {
                canvas.write(" " + line.text, row: row, column: 0, .dim, limit: min(width, Self.phoneWidth))
            }
            drawSheet(rows, focused: focused, in: area, on: &canvas)
        }
        if width >= Self.wide, extra != .messages {
            let column = Self.phoneWidth + 2
            for (row, line) in zip(area, TerminalRows.messages(view, width: width - column)) {
                let value = width - TerminalText.width(of: line.value) - 1
                canvas.write(line.text, row: row, column: column, Self.style(line.look), limit: line.value.isEmpty ? width : value - 1)
                canvas.write(line.value, row: row, column: value, .dim)
            }
        }
        canvas.write(" " + text(help(view)), row: height - 1, column: 0, .dim)
        return canvas
    }

    private func help(_ view: PageView) -> Phrase {
        view.phone.sheet == nil
            ? "↑ ↓ move · Enter choose · ← → quantity or screen · Tab next screen · q quit" : "↑ ↓ move · Enter choose · Esc cancel"
    }

    private func drawHeader(_ view: PageView, _ text: PageLanguage, on canvas: inout TerminalCanvas) {
        let phone = view.phone
        canvas.write(" MonkeyShop · \(phone.name)", row: 0, column: 0, .bold)
        let waiting = view.controls.approvals.count + view.controls.refunds.count
        let state = [
            waiting > 0 ? text("\(waiting) to decide in Controls") : nil, phone.isOffline ? text("No network") : nil,
            "\(view.controls.date) \(phone.time)",
        ].compactMap { $0 }.joined(separator: " · ")
        let column = canvas.width - TerminalText.width(of: state) - 1
        // A narrow window has no room for the state.
        if column > TerminalText.width(of: " MonkeyShop · \(phone.name)") + 1 { canvas.write(state, row: 0, column: column, .dim) }
        let tabs = tabs(view)
        var next = 1
        if tabs.reduce(1, { $0 + TerminalText.width(of: $1.title) + 2 }) <= canvas.width {
            for tab in tabs { next = canvas.write(" \(tab.title) ", row: 1, column: next, tab.isSelected ? .reversed : .plain) }
        } else if let tab = tabs.first(where: \.isSelected) {
            next = canvas.write("‹ ", row: 1, column: next)
            next = canvas.write(" \(tab.title) ", row: 1, column: next, .reversed)
            canvas.write(" ›", row: 1, column: next)
        }
        canvas.fill(row: 2, columns: 0..<canvas.width, .dim, with: "─")
    }

    private mutating func draw(
        _ rows: [TerminalRow], focused: String?, in area: Range<Int>, columns: Range<Int>, on canvas: inout TerminalCanvas
    ) {
        adjustScroll(rows, focused: focused, height: area.count)
        for (row, line) in zip(area, rows.dropFirst(scroll)) {
            Self.draw(line, isFocused: line.id != nil && line.id == focused, row: row, columns: columns, on: &canvas)
        }
        if scroll > 0 { canvas.write("▲", row: area.lowerBound, column: columns.upperBound - 1, .dim) }
        if scroll + area.count < rows.count { canvas.write("▼", row: area.upperBound - 1, column: columns.upperBound - 1, .dim) }
    }

    /// Keeps the focused row visible, with the rows around it, and the title above the first one.
    private mutating func adjustScroll(_ rows: [TerminalRow], focused: String?, height: Int) {
        let limit = max(rows.count - height, 0)
        if !isScrolling, let focused, let row = rows.firstIndex(where: { $0.id == focused }) {
            let isFirst = rows.firstIndex { $0.id != nil } == row
            let isLast = rows.lastIndex { $0.id != nil } == row
            if isFirst, row < height { scroll = 0 } else if isLast, rows.count - row <= height { scroll = limit }
            if row < scroll + 2 { scroll = max(row - 2, 0) }
            if row >= scroll + height - 1 { scroll = row - height + 2 }
        }
        scroll = min(max(scroll, 0), limit)
    }

    private mutating func drawSheet(_ rows: [TerminalRow], focused: String?, in area: Range<Int>, on canvas: inout TerminalCanvas) {
        let width = sheetWidth(canvas.width)
        let height = min(rows.count + 2, area.count)
        let (left, top) = ((min(canvas.width, Self.phoneWidth) - width) / 2, area.lowerBound + (area.count - height) / 2)
        for row in top..<top + height {
            canvas.fill(row: row, columns: left..<left + width, .plain)
            canvas.write("│", row: row, column: left)
            canvas.write("│", row: row, column: left + width - 1)
        }
        for (row, ends) in [(top, ("╭", "╮")), (top + height - 1, ("╰", "╯"))] {
            canvas.fill(row: row, columns: left..<left + width, .plain, with: "─")
            canvas.write(ends.0, row: row, column: left)
            canvas.write(ends.1, row: row, column: left + width - 1)
        }
        draw(rows, focused: focused, in: top + 1..<top + height - 1, columns: left + 1..<left + width - 1, on: &canvas)
    }

    private static func draw(
        _ line: TerminalRow, isFocused: Bool, row: Int, columns: Range<Int>, on canvas: inout TerminalCanvas
    ) {
        guard line.picture.isEmpty else {
            for (column, cell) in zip(columns.dropFirst(), line.picture) { canvas.set(cell, row: row, column: column) }
            return
        }
        let style = isFocused ? TerminalStyle.reversed : style(line.look)
        if isFocused { canvas.fill(row: row, columns: columns, .reversed) }
        let value = columns.upperBound - 1 - TerminalText.width(of: line.value)
        let column =
            line.id == nil ? columns.lowerBound + 1 : canvas.write(isFocused ? "▸ " : "  ", row: row, column: columns.lowerBound + 1, style)
        canvas.write(
            line.text, row: row, column: column, style, limit: line.value.isEmpty ? columns.upperBound - 1 : max(value - 1, column))
        canvas.write(line.value, row: row, column: max(value, columns.lowerBound + 1), style, limit: columns.upperBound - 1)
    }

    private static func style(_ look: TerminalRow.Look) -> TerminalStyle {
        switch look {
        case .text: .plain
        case .title: .bold
        case .quiet: .dim
        case .warning: TerminalStyle(foreground: .yellow)
        case .button: TerminalStyle(foreground: .cyan)
        case .primary: TerminalStyle(foreground: .green, isBold: true)
        }
    }
}
