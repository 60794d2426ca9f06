import PurchaseModel

/// The lines of a screen or a sheet, made from the view of the page.
struct TerminalLines {
    /// A screen of the terminal that is not a screen of the phone.
    enum Extra: String, CaseIterable {
        case controls, messages
    }

    private let view: PageView
    private let text: PageLanguage
    private(set) var lines: [TerminalLine] = []

    /// - Parameters:
    ///   - extra: The screen of the terminal to show; nil for the phone's screen.
    ///   - form: The values entered into the sheet, which is shown instead of a screen; nil if there is no sheet.
    init(_ view: PageView, extra: Extra? = nil, form: TerminalForm? = nil) {
        self.view = view
        text = PageLanguage(rawValue: view.lang) ?? .english
        let state = [view.phone.name, view.phone.isOffline ? text("No network") : nil, view.controls.date]
        add("MonkeyShop · \(state.compactMap(\.self).joined(separator: " · "))")
        space()
        if let sheet = view.phone.sheet, let form {
            add(sheet, form)
        } else {
            switch extra {
            case .controls: addControls()
            case .messages: addMessages()
            case nil: addScreen()
            }
        }
    }

    private mutating func add(_ string: String) {
        for line in string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            lines.append(TerminalLine(text: String(line)))
        }
    }

    private mutating func title(_ phrase: Phrase) {
        if lines.last?.text.isEmpty == false { space() }
        add(text(phrase))
    }

    private mutating func space() { lines.append(TerminalLine(text: "")) }

    private mutating func line(_ label: String, _ value: String) { add(value.isEmpty ? label : "\(label): \(value)") }

    private mutating func button(_ title: String, _ press: TerminalLine.Press) { lines.append(TerminalLine(text: title, press: press)) }

    private mutating func button(_ phrase: Phrase, _ action: ShopAction) { button(text(phrase), .act(action)) }

    // MARK: - The phone's screen

    private mutating func addScreen() {
        let phone = view.phone
        for problem in phone.problems {
            add("\(problem.message) \(problem.nextStep)")
            if problem.canRetry { button("Try again", .tap(.retry)) }
        }
        if let notice = phone.notice {
            add("» \(notice)")
            space()
        }
        if phone.isClosed {
            add(text("The app is closed."))
            return button("MonkeyShop", .act(.open(resetsVault: false)))
        }
        if let error = phone.launchError {
            add(error)
            if phone.canReset { button("Reset, then restore", .open(resetsVault: true)) }
            return
        }
        if phone.isLaunching { return add(text("Opening …")) }
        if let shop = phone.shop { add(shop) }
        if let filters = phone.filters { add(filters) }
        if let books = phone.books { add(books) }
        if let magazine = phone.magazine { add(magazine) }
        if let settings = phone.settings { add(settings) }
    }

    private mutating func add(_ shop: ShopView) {
        add(text("Credits"))
        if shop.isDisabled { add("\(text("In-app purchases are not allowed.")) \(text("Allow purchases in the settings of this phone."))") }
        add("\(shop.balance) \(text("credits"))")
        if shop.isFrozen { add(text("A refund of spent credits has frozen the balance.")) }
        if shop.canSpend { button("Buy a banana", .tap(.spend)) }
        for card in shop.cards { add(card) }
    }

    private mutating func add(_ card: CardView) {
        space()
        line(card.title, card.status ?? card.price ?? text("Price …"))
        if !card.text.isEmpty { add(card.text) }
        if let introduction = card.introduction { add(introduction) }
        if card.status == nil {
            if card.isDisabled { add(text(card.isBuying ? "Buying …" : "Buy")) } else { button(card.change ?? text("Buy"), .buy(card.id)) }
        }
        if card.canBuyAgain { button(text("Buy again"), .buy(card.id)) }
        for offer in card.offers {
            if card.isDisabled { add(offer.text) } else { button(offer.text, .act(.tap(.buy(card.id, quantity: 1, offer: offer.id)))) }
        }
    }

    private mutating func add(_ filters: FiltersView) {
        for choice in filters.pictures { add(choice, .tap(.picture(Int(choice.value) ?? 0))) }
        space()
        for choice in filters.filters { add(choice, .tap(.filter(choice.value))) }
        for card in filters.cards { add(card) }
    }

    private mutating func add(_ choice: PageView.Choice, _ action: ShopAction) {
        button("\(choice.isSelected ? "●" : "○") \(choice.title)", .act(action))
    }

    private mutating func add(_ books: BooksView) {
        if let reading = books.reading {
            for paragraph in reading.text {
                add(paragraph)
                space()
            }
            add(reading.position)
            if let next = reading.next { button("Next", .tap(.turn(to: next))) }
            if let previous = reading.previous { button("Back", .tap(.turn(to: previous))) }
            return button("Close the book", .tap(.closeBook))
        }
        add(text("Books"))
        for book in books.books { add(book) }
    }

    private mutating func add(_ view: BooksView.Book) {
        add(view.card)
        if let download = view.download {
            line(download.text, "\(download.percent) %")
            if download.isRunning {
                let change = download.isPaused ? ShopAction.Tap.resumeDownload(view.book) : .pauseDownload(view.book)
                button(download.isPaused ? "Resume" : "Pause", .tap(change))
                button("Cancel the download", .tap(.cancelDownload(view.book)))
            }
        }
        if view.isReadyToDownload { button("Download", .tap(.download(view.book))) }
        if view.needsRestore { add(text("Restore your purchases to download the book.")) }
        if view.canRead { button("Read", .tap(.openBook(view.book))) }
        if view.canRemove { button("Remove from this phone", .tap(.removeBook(view.book))) }
    }

    private mutating func add(_ magazine: MagazineView) {
        add(text("Magazine"))
        add(magazine.sentence)
        for card in magazine.cards { add(card) }
        space()
        button("Manage subscriptions", .tap(.manageSubscriptions))
    }

    private mutating func add(_ settings: SettingsView) {
        if let receipt = settings.receipt {
            add(text("Receipt"))
            for fact in receipt.facts { line(fact.label, fact.value) }
            if let validation = receipt.validation {
                add(validation)
            } else {
                button("Ask the App Store’s verifyReceipt", .tap(.validateReceipt(.store)))
                button("Ask the server’s verifyReceipt", .tap(.validateReceipt(.server)))
            }
            title("In-app purchases")
            if receipt.purchases.isEmpty { add(text("The receipt contains no purchases.")) }
            for purchase in receipt.purchases { line(purchase.label, purchase.value) }
            space()
            return button("Close the receipt", .tap(.hideReceipt))
        }
        add(text("Settings"))
        add(settings.account)
        if settings.isRestoring {
            add(text("Restoring …"))
        } else {
            button("Restore purchases", .tap(.restore(onlyOfUser: false)))
            button(settings.restoreOnly, .act(.tap(.restore(onlyOfUser: true))))
        }
        button("Manage subscriptions", .tap(.manageSubscriptions))
        button("Redeem a code", .tap(.redeemCode))
        button("Send purchases to a new phone", .moveToNewPhone)
        button("Receipt", .tap(.showReceipt))
        button("Refresh the receipt", .tap(.refreshReceipt))
        title("Purchases")
        if settings.purchases.isEmpty { add(text("No purchases yet.")) }
        for purchase in settings.purchases {
            line(purchase.title, purchase.text)
            if let transaction = purchase.transaction { button("Request a refund", .tap(.requestRefund(transaction))) }
        }
    }

    // MARK: - Controls and messages

    private mutating func addControls() {
        let controls = view.controls
        if let problem = controls.problem { add(problem) }
        for approval in controls.approvals {
            title("The parent’s phone")
            add(approval.text)
            button("Approve", .decide(payment: approval.payment, approve: true))
            button("Decline", .decide(payment: approval.payment, approve: false))
        }
        for refund in controls.refunds {
            title("The App Store’s support")
            add(refund.text)
            button("Grant the refund", .decideRefund(refund.request, approve: true))
            button("Decline", .decideRefund(refund.request, approve: false))
        }
        title("This phone")
        addSwitch("Network", controls.isOnline, .setNetwork(!controls.isOnline))
        addSwitch("Fast downloads", controls.isFast, .setSpeed(isFast: !controls.isFast))
        addSwitch("Purchases allowed", !controls.isRestricted, .setRestricted(!controls.isRestricted))
        addSwitch("Payment method valid", controls.hasValidPaymentMethod, .setPaymentMethod(isValid: !controls.hasValidPaymentMethod))
        if controls.isOpen { button("Kill the app", .kill) } else { button("Open the app", .open(resetsVault: false)) }
        button("Reinstall the app", .reinstall)
        button("Erase the phone", .erase)
        title("Files of this phone")
        button("Back up", .backUp)
        if controls.hasBackup { button("Restore the backup", .restoreBackup) }
        if controls.canRestoreOnNewPhone {
            button("Restore on a new phone", .restoreBackupOnNewPhone(isEncrypted: true))
            button("Restore unencrypted on a new phone", .restoreBackupOnNewPhone(isEncrypted: false))
        }
        button("Edit the vault", .editVault)
        title("Time")
        button("+ 1 day", .advance(days: 1))
        button("+ 1 month", .advance(days: 31))
        button("+ 1 year", .advance(days: 365))
        title("The App Store")
        button("Refund the latest purchase", .refundLatest)
        if !controls.isHatSold { button("Sell the winter hat", .sellWinterHat) }
        title("The server")
        button("Request the book", .requestContent(.ownReceipt))
        button("Request with a changed receipt", .requestContent(.changedReceipt))
        button("Request with another app’s receipt", .requestContent(.foreignReceipt))
        if let answer = controls.contentAnswer { add(answer) }
        title("Phones")
        for phone in view.phones { add(phone, .selectPhone(Int(phone.value) ?? 0)) }
        if controls.canAddPhone { button("Jane’s next phone", .addPhone) }
        if controls.canAddPhone, !controls.hasChild { button("A child’s phone", .addChild) }
        title("Language")
        for language in view.languages { add(language, .setLanguage(PageLanguage(rawValue: language.value) ?? .english)) }
    }

    private mutating func addSwitch(_ label: Phrase, _ isOn: Bool, _ action: ShopAction) {
        button("\(text(label)): \(text(isOn ? "On" : "Off"))", .act(action))
    }

    private mutating func addMessages() {
        add(text("Messages"))
        if view.messages.isEmpty { add(text("No messages yet.")) }
        for message in view.messages {
            button("\(arrow(message.route)) \(message.title) → \(message.answer)", .act(.openMessage(message.id)))
            guard message.isOpen else { continue }
            for (label, body) in [("Request", message.request), ("Response", message.response)] as [(Phrase, String?)] {
                guard let body else { continue }
                add(text(label))
                add(body)
            }
            for verification in message.verifications {
                add(verification.result)
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

    private mutating func add(_ sheet: SheetView, _ form: TerminalForm) {
        add(sheet.title)
        space()
        for each in sheet.lines { line(each.label, each.value) }
        if sheet.account != nil {
            button("\(text("Account")): \(form.fields["account"] ?? "")", .enter(field: "account"))
            button("\(text("Password")): \(form.fields["password"].map { _ in "••••••" } ?? "")", .enter(field: "password"))
        }
        if let field = sheet.field { button("\(field): \(form.fields["text"] ?? "…")", .enter(field: "text")) }
        for option in sheet.options {
            let mark = form.chosen.contains(option.id.rawValue) ? "[x]" : "[ ]"
            button("\(mark) \(option.title) (\(option.text))", .toggle(option.id.rawValue))
        }
        for reason in sheet.reasons { button("\(form.reason == reason.value ? "●" : "○") \(reason.title)", .choose(reason.value)) }
        for subscription in sheet.subscriptions {
            add(subscription.title)
            let answer = ShopSheetAnswer.autoRenew(subscription.transaction, subscription.on == "1")
            button(subscription.button, .act(.answer(sheet: sheet.id, answer)))
        }
        space()
        if let agree = sheet.agree { button(agree.title, .answer(agree.answer)) }
        if !sheet.reasons.isEmpty { button(text("Request the refund"), .answer("refund")) }
        if let refuse = sheet.refuse { button(refuse.title, .answer(refuse.answer)) }
        button(sheet.cancel, .answer("cancel"))
    }
}
