import PurchaseModel

/// Builds the rows of the screens and sheets from what the page shows.
struct TerminalRows {
    let view: PageView
    let text: PageLanguage
    let width: Int
    let quantities: [ProductID: Int]
    private(set) var rows: [TerminalRow] = []

    init(_ view: PageView, width: Int, quantities: [ProductID: Int]) {
        (self.view, self.width, self.quantities) = (view, width, quantities)
        text = PageLanguage(rawValue: view.lang) ?? .english
    }

    private mutating func add(_ string: String, _ look: TerminalRow.Look = .text) {
        for line in TerminalText.wrap(string, to: width - 2) { rows.append(TerminalRow(look: look, text: line)) }
    }

    private mutating func title(_ phrase: Phrase) {
        if !rows.isEmpty { space() }
        add(text(phrase), .title)
    }

    private mutating func space() { rows.append(TerminalRow(text: "")) }

    private mutating func line(_ label: String, _ value: String, _ look: TerminalRow.Look = .text) {
        rows.append(TerminalRow(look: look, text: label, value: value))
    }

    private mutating func button(
        _ id: String, _ title: String, _ action: ShopAction, value: String = "", _ look: TerminalRow.Look = .button
    ) {
        rows.append(TerminalRow(id: id, look: look, text: title, value: value, press: .act(action)))
    }

    private mutating func button(_ phrase: Phrase, _ action: ShopAction, _ look: TerminalRow.Look = .button) {
        button("\(action)", text(phrase), action, look)
    }

    // MARK: - The phone's screen

    /// The rows of the phone's screen.
    static func screen(_ view: PageView, width: Int, quantities: [ProductID: Int]) -> [TerminalRow] {
        var rows = TerminalRows(view, width: width, quantities: quantities)
        rows.addScreen()
        return rows.rows
    }

    private mutating func addScreen() {
        let phone = view.phone
        addNotes()
        if phone.isClosed {
            add(text("The app is closed."))
            return button("MonkeyShop", .open(resetsVault: false), .primary)
        }
        if let error = phone.launchError {
            add(error, .warning)
            if phone.canReset { button("Reset, then restore", .open(resetsVault: true), .primary) }
            return
        }
        if phone.isLaunching { return add(text("Opening …")) }
        if let shop = phone.shop { add(shop) }
        if let filters = phone.filters { add(filters) }
        if let books = phone.books { add(books) }
        if let magazine = phone.magazine { add(magazine) }
        if let settings = phone.settings { add(settings) }
    }

    private mutating func addNotes() {
        let phone = view.phone
        for problem in phone.problems {
            add("\(problem.message) \(problem.nextStep)", .warning)
            if problem.canRetry { button("Try again", .tap(.retry)) }
        }
        if let notice = phone.notice {
            add(notice, .title)
            button("dismiss", "OK", .tap(.dismissNotice))
        }
        if !rows.isEmpty { space() }
    }

    private mutating func add(_ shop: ShopView) {
        add(text("Credits"), .title)
        if shop.isDisabled {
            add("\(text("In-app purchases are not allowed.")) \(text("Allow them in the settings of this phone."))", .warning)
        }
        line("\(shop.balance) \(text("credits"))", "")
        if shop.isFrozen { add(text("A refund of spent credits has frozen the balance."), .warning) }
        if shop.canSpend { button("Buy a banana", .tap(.spend)) }
        for card in shop.cards { add(card) }
    }

    private mutating func add(_ card: CardView) {
        space()
        line(card.title, card.status ?? card.price ?? text("Price …"), .title)
        if !card.text.isEmpty { add(card.text, .quiet) }
        if let introduction = card.introduction { add(introduction) }
        if card.status == nil {
            if card.isDisabled {
                // The row keeps the focus, although it does nothing.
                rows.append(TerminalRow(id: "buy \(card.id)", look: .quiet, text: text(card.isBuying ? "Buying …" : "Buy")))
            } else {
                let count = quantities[card.id] ?? 1
                rows.append(
                    TerminalRow(
                        id: "buy \(card.id)", look: .primary, text: card.change ?? text("Buy"),
                        value: card.quantities.isEmpty ? "" : "\(text("Quantity")) ‹ \(count) ›", press: .buy(card.id),
                        quantity: card.quantities.isEmpty ? nil : card.id))
            }
        }
        for offer in card.offers {
            let action = ShopAction.tap(.buy(card.id, quantity: 1, offer: offer.id))
            if card.isDisabled { add(offer.text, .quiet) } else { button("offer \(offer.id)", offer.text, action) }
        }
    }

    private mutating func add(_ filters: FiltersView) {
        let number = filters.pictures.firstIndex(where: \.isSelected) ?? 0
        let size = min(width - 2, 36)
        let picture = TerminalPicture.rows(
            number, filter: ShopPhone.Filter(rawValue: filters.filter) ?? .none, width: size, height: max(size * 11 / 32, 1))
        rows += picture.map { TerminalRow(text: "", picture: $0) }
        for choice in filters.pictures { add(choice, .tap(.picture(Int(choice.value) ?? 0)), "picture \(choice.value)") }
        space()
        for choice in filters.filters { add(choice, .tap(.filter(choice.value)), "filter \(choice.value)") }
        for card in filters.cards { add(card) }
    }

    private mutating func add(_ choice: PageView.Choice, _ action: ShopAction, _ id: String) {
        button(id, "\(choice.isSelected ? "●" : "○") \(choice.title)", action)
    }

    private mutating func add(_ books: BooksView) {
        if let reading = books.reading {
            for paragraph in reading.text {
                add(paragraph)
                space()
            }
            add(reading.position, .quiet)
            if let next = reading.next { button("next page", text("Next"), .tap(.turn(to: next)), .primary) }
            if let previous = reading.previous { button("previous page", text("Back"), .tap(.turn(to: previous))) }
            return button("Close the book", .tap(.closeBook))
        }
        add(text("Books"), .title)
        for book in books.books { add(book) }
    }

    private mutating func add(_ view: BooksView.Book) {
        add(view.card)
        if let download = view.download {
            line(download.text, "")
            rows.append(TerminalRow(text: Self.bar(download.percent, width: min(width - 2, 40))))
            if download.isRunning {
                let change = download.isPaused ? ShopAction.Tap.resumeDownload(view.book) : .pauseDownload(view.book)
                button(download.isPaused ? "Resume" : "Pause", .tap(change))
                button("Cancel the download", .tap(.cancelDownload(view.book)))
            }
        }
        if view.isReadyToDownload { button("Download", .tap(.download(view.book)), .primary) }
        if view.needsRestore { add(text("Restore your purchases to download it."), .quiet) }
        if view.canRead { button("Read", .tap(.openBook(view.book)), .primary) }
        if view.canRemove { button("Remove from this phone", .tap(.removeBook(view.book))) }
    }

    static func bar(_ percent: Int, width: Int) -> String {
        let filled = min(max(percent, 0), 100) * width / 100
        return String(repeating: "█", count: filled) + String(repeating: "░", count: max(width - filled, 0))
    }

    private mutating func add(_ magazine: MagazineView) {
        add(text("Magazine"), .title)
        add(magazine.sentence)
        for card in magazine.cards { add(card) }
        space()
        button("Manage subscriptions", .tap(.manageSubscriptions))
    }

    private mutating func add(_ settings: SettingsView) {
        if let receipt = settings.receipt {
            add(text("Receipt"), .title)
            for fact in receipt.facts { line(fact.label, fact.value) }
            if let validation = receipt.validation {
                add(validation)
            } else {
                button("Ask the App Store’s verifyReceipt", .tap(.validateReceipt(.store)))
                button("Ask the server’s verifyReceipt", .tap(.validateReceipt(.server)))
            }
            title("In-app purchases")
            if receipt.purchases.isEmpty { add(text("The receipt lists none."), .quiet) }
            for purchase in receipt.purchases { line(purchase.label, purchase.value) }
            space()
            return button("Close the receipt", .tap(.hideReceipt), .primary)
        }
        add(text("Settings"), .title)
        add(settings.account, .quiet)
        if settings.isRestoring {
            add(text("Restoring …"))
        } else {
            button("Restore purchases", .tap(.restore(onlyOfUser: false)), .primary)
            button("restore only", settings.restoreOnly, .tap(.restore(onlyOfUser: true)))
        }
        button("Manage subscriptions", .tap(.manageSubscriptions))
        button("Redeem a code", .tap(.redeemCode))
        button("Send purchases to a new phone", .moveToNewPhone)
        button("Receipt", .tap(.showReceipt))
        button("Refresh the receipt", .tap(.refreshReceipt))
        title("Purchases")
        if settings.purchases.isEmpty { add(text("Nothing yet."), .quiet) }
        for purchase in settings.purchases {
            line(purchase.title, purchase.text)
            if let transaction = purchase.transaction {
                button("refund \(transaction)", "  \(text("Request a refund"))", .tap(.requestRefund(transaction)))
            }
        }
    }

    // MARK: - Around the phone

    /// The rows of the switches and buttons around the phone.
    static func controls(_ view: PageView, width: Int) -> [TerminalRow] {
        var rows = TerminalRows(view, width: width, quantities: [:])
        rows.addControls()
        return rows.rows
    }

    private mutating func addControls() {
        let controls = view.controls
        if let problem = controls.problem { add(problem, .warning) }
        for approval in controls.approvals {
            title("The parent’s phone")
            add(approval.text)
            button("approve \(approval.payment)", text("Approve"), .decide(payment: approval.payment, approve: true), .primary)
            button("decline \(approval.payment)", text("Decline"), .decide(payment: approval.payment, approve: false))
        }
        for refund in controls.refunds {
            title("The App Store’s support")
            add(refund.text)
            button("grant \(refund.request)", text("Grant the refund"), .decideRefund(refund.request, approve: true), .primary)
            button("refuse \(refund.request)", text("Decline"), .decideRefund(refund.request, approve: false))
        }
        title("This phone")
        addSwitch("Network", controls.isOnline, .setNetwork(!controls.isOnline))
        addSwitch("Fast downloads", controls.isFast, .setSpeed(isFast: !controls.isFast))
        addSwitch("Purchases allowed", !controls.isRestricted, .setRestricted(!controls.isRestricted))
        addSwitch(
            "Payment method valid", controls.hasValidPaymentMethod, .setPaymentMethod(isValid: !controls.hasValidPaymentMethod))
        if controls.isOpen { button("Kill the app", .kill) } else { button("Open the app", .open(resetsVault: false)) }
        button("Reinstall the app", .reinstall)
        button("Erase the phone", .erase)
        title("Its files")
        button("Back up", .backUp)
        if controls.hasBackup { button("Restore the backup", .restoreBackup) }
        if controls.canRestoreOnNewPhone {
            button("Restore it on a new phone", .restoreBackupOnNewPhone(isEncrypted: true))
            button("Restore it unencrypted on a new phone", .restoreBackupOnNewPhone(isEncrypted: false))
        }
        button("Edit the vault", .editVault)
        title("Time")
        add(controls.date)
        button("+ 1 day", .advance(days: 1))
        button("+ 1 month", .advance(days: 31))
        button("+ 1 year", .advance(days: 365))
        title("The App Store")
        button("Refund the latest purchase", .refundLatest)
        if !controls.isHatSold { button("Sell the winter hat", .sellWinterHat) }
        title("The server")
        button("Request the book", .requestContent(.ownReceipt))
        button("With a changed receipt", .requestContent(.changedReceipt))
        button("With another app’s receipt", .requestContent(.foreignReceipt))
        if let answer = controls.contentAnswer { add(answer) }
        title("Phones")
        for phone in view.phones { add(phone, .selectPhone(Int(phone.value) ?? 0), "phone \(phone.value)") }
        if controls.canAddPhone { button("Jane’s next phone", .addPhone) }
        if controls.canAddPhone, !controls.hasChild { button("A child’s phone", .addChild) }
        title("Language")
        for language in view.languages {
            add(language, .setLanguage(PageLanguage(rawValue: language.value) ?? .english), "language \(language.value)")
        }
    }

    private mutating func addSwitch(_ label: Phrase, _ isOn: Bool, _ action: ShopAction) {
        rows.append(
            TerminalRow(
                id: "switch \(text(label))", look: .button, text: text(label), value: text(isOn ? "On" : "Off"), press: .act(action)))
    }

    // MARK: - Messages

    /// The rows of the messages between app, store and server.
    static func messages(_ view: PageView, width: Int) -> [TerminalRow] {
        var rows = TerminalRows(view, width: width, quantities: [:])
        rows.addMessages()
        return rows.rows
    }

    private mutating func addMessages() {
        add(text("Under the hood"), .title)
        if view.messages.isEmpty { add(text("Nothing was sent yet."), .quiet) }
        for message in view.messages {
            rows.append(
                TerminalRow(
                    id: "message \(message.id)", look: message.isFailure ? .warning : .button,
                    text: "\(arrow(message.route)) \(message.title)", value: message.answer, press: .act(.openMessage(message.id))))
            guard message.isOpen else { continue }
            for (label, body) in [("Request", message.request), ("Response", message.response)] as [(Phrase, String?)] {
                guard let body else { continue }
                add(text(label), .quiet)
                add(body)
            }
            for verification in message.verifications {
                add(verification.result, .title)
                for step in verification.steps { add("\(step.mark) \(step.name): \(step.observed)") }
            }
        }
    }

    private func arrow(_ route: String) -> String {
        switch Message.Route(rawValue: route) {
        case .appToStore, nil: "App → App Store"
        case .appToServer: "App → \(text("Server"))"
        case .storeToServer: "App Store → \(text("Server"))"
        }
    }

    // MARK: - Sheets

    /// The rows of a sheet with what the person has entered.
    static func sheet(_ sheet: SheetView, _ form: TerminalForm, in view: PageView, width: Int) -> [TerminalRow] {
        var rows = TerminalRows(view, width: width, quantities: [:])
        rows.add(sheet, form)
        return rows.rows
    }

    private mutating func add(_ sheet: SheetView, _ form: TerminalForm) {
        add(sheet.title, .title)
        space()
        for each in sheet.lines {
            if each.value.isEmpty { add(each.label) } else { line(each.label, each.value) }
        }
        for (name, label) in form.labels(of: sheet, in: text) {
            let content = form.fields[name] ?? ""
            let shown = name == "password" ? String(repeating: "•", count: content.count) : content
            rows.append(TerminalRow(id: "field \(name)", look: .button, text: label, value: shown.isEmpty ? "…" : shown, field: name))
        }
        for option in sheet.options {
            let mark = form.chosen.contains(option.id.rawValue) ? "[x]" : "[ ]"
            rows.append(
                TerminalRow(
                    id: "option \(option.id)", look: .button, text: "\(mark) \(option.title)", value: option.text,
                    press: .toggle(option.id.rawValue)))
        }
        for reason in sheet.reasons {
            rows.append(
                TerminalRow(
                    id: "reason \(reason.value)", look: .button, text: "\(form.reason == reason.value ? "●" : "○") \(reason.title)",
                    press: .choose(reason.value)))
        }
        for subscription in sheet.subscriptions {
            line(subscription.title, "")
            let answer = ShopSheetAnswer.autoRenew(subscription.transaction, subscription.on == "1")
            button("renew \(subscription.transaction)", subscription.button, .answer(sheet: sheet.id, answer))
        }
        space()
        if let agree = sheet.agree { addAnswer("agree", agree.title, agree.answer, .primary) }
        if !sheet.reasons.isEmpty { addAnswer("agree", text("Request the refund"), "refund", .primary) }
        if let refuse = sheet.refuse { addAnswer("refuse", refuse.title, refuse.answer) }
        addAnswer("cancel", sheet.cancel, "cancel")
    }

    private mutating func addAnswer(_ id: String, _ title: String, _ answer: String, _ look: TerminalRow.Look = .button) {
        rows.append(TerminalRow(id: id, look: look, text: title, press: .answer(answer)))
    }
}
