import MonkeyShop
import OpenStoreKit
import PurchaseModel

/// An action of a visitor on the page, from the fields of a form.
enum ShopAction: Sendable, Hashable {
    /// An action on the screen of a phone.
    enum Tap: Codable, Sendable, Hashable {
        case show(String)
        case buy(ProductID, quantity: Int, offer: String?)
        case spend
        /// Restores all purchases of the account or, if `onlyOfUser` is true, those of the app's user.
        case restore(onlyOfUser: Bool)
        case retry
        case picture(Int)
        case filter(String)
        case openBook(MonkeyShopBook)
        case turn(to: Int)
        case closeBook
        case download(MonkeyShopBook)
        case pauseDownload(MonkeyShopBook)
        case resumeDownload(MonkeyShopBook)
        case cancelDownload(MonkeyShopBook)
        /// Deletes the content of a book from the phone; the customer still owns the book.
        case removeBook(MonkeyShopBook)
        case manageSubscriptions
        case redeemCode
        case requestRefund(TransactionID)
        case dismissNotice
        case showReceipt
        case hideReceipt
        case refreshReceipt
        case validateReceipt(VerifyReceiptHost)
    }

    case tap(Tap)
    case answer(sheet: Int, ShopSheetAnswer)
    /// Ends the app session.
    case kill
    /// Opens a closed app.
    case open(resetsVault: Bool)
    case setNetwork(Bool)
    /// Sets whether content is downloaded at full speed.
    case setSpeed(isFast: Bool)
    case setRestricted(Bool)
    case setPaymentMethod(isValid: Bool)
    case advance(days: Int64)
    case setLanguage(PageLanguage)
    case selectPhone(Int)
    case openMessage(Int)
    case addPhone
    case addChild
    case erase
    /// Deletes and reinstalls the app.
    case reinstall
    case backUp
    case restoreBackup
    /// Restores the backup on a new phone.
    case restoreBackupOnNewPhone(isEncrypted: Bool)
    case editVault
    case moveToNewPhone
    case decide(payment: String, approve: Bool)
    case decideRefund(Int64, approve: Bool)
    /// The App Store refunds the latest purchase of the phone's owner without a refund request.
    case refundLatest
    /// Adds the winter hat to the App Store's catalog, without an update of the app.
    case sellWinterHat
    /// Requests the book from the server, with a receipt as the proof.
    case requestContent(ContentProof)
    /// Shows a stop of the guided tour; nil closes the tour.
    case tour(Int?)
    /// Carries out the actions of the tour's current stop.
    case showStop

    /// Whether the action opens the app; such an action ends when the app is closed.
    var launches: Bool {
        switch self {
        case .open, .addPhone, .addChild, .erase, .reinstall, .backUp, .restoreBackup, .restoreBackupOnNewPhone, .editVault,
            .moveToNewPhone:
            true
        default: false
        }
    }

    /// Reads the fields of a form; nil if the fields describe no action.
    init?(_ fields: [String: String]) {
        func flag(_ name: String) -> Bool { fields[name] == "1" }
        let product = fields["product"].map { ProductID($0) }
        let book = product.flatMap { MonkeyShopBook($0) } ?? .receipts
        switch fields["do"] {
        case "show": self = .tap(.show(fields["screen"] ?? ""))
        case "buy":
            guard let product else { return nil }
            self = .tap(.buy(product, quantity: Int(fields["quantity"] ?? "1") ?? 1, offer: fields["offer"]))
        case "spend": self = .tap(.spend)
        case "restore": self = .tap(.restore(onlyOfUser: fields["only"] == "user"))
        case "retry": self = .tap(.retry)
        case "picture": self = .tap(.picture(Int(fields["picture"] ?? "") ?? 0))
        case "filter": self = .tap(.filter(fields["filter"] ?? ""))
        case "open-book": self = .tap(.openBook(book))
        case "turn": self = .tap(.turn(to: Int(fields["page"] ?? "") ?? 0))
        case "close-book": self = .tap(.closeBook)
        case "download": self = .tap(.download(book))
        case "pause": self = .tap(.pauseDownload(book))
        case "resume": self = .tap(.resumeDownload(book))
        case "cancel-download": self = .tap(.cancelDownload(book))
        case "remove-book": self = .tap(.removeBook(book))
        case "manage": self = .tap(.manageSubscriptions)
        case "redeem": self = .tap(.redeemCode)
        case "refund":
            guard let transaction = fields["transaction"] else { return nil }
            self = .tap(.requestRefund(TransactionID(transaction)))
        case "receipt": self = .tap(.showReceipt)
        case "hide-receipt": self = .tap(.hideReceipt)
        case "validate-receipt": self = .tap(.validateReceipt(fields["host"] == "store" ? .store : .server))
        case "refresh-receipt": self = .tap(.refreshReceipt)
        case "back-up": self = .backUp
        case "restore-backup": self = .restoreBackup
        case "restore-backup-new": self = .restoreBackupOnNewPhone(isEncrypted: true)
        case "restore-backup-new-unencrypted": self = .restoreBackupOnNewPhone(isEncrypted: false)
        case "edit-vault": self = .editVault
        case "move": self = .moveToNewPhone
        case "dismiss": self = .tap(.dismissNotice)
        case "answer":
            guard let sheet = fields["sheet"].flatMap({ Int($0) }), let answer = ShopSheetAnswer(fields) else { return nil }
            self = .answer(sheet: sheet, answer)
        case "kill": self = .kill
        case "open": self = .open(resetsVault: flag("reset"))
        case "network": self = .setNetwork(flag("on"))
        case "speed": self = .setSpeed(isFast: flag("on"))
        case "restrict": self = .setRestricted(flag("on"))
        case "payment-method": self = .setPaymentMethod(isValid: flag("on"))
        case "advance":
            guard let days = fields["days"].flatMap({ Int64($0) }), (1...366).contains(days) else { return nil }
            self = .advance(days: days)
        case "language":
            guard let language = fields["language"].flatMap({ PageLanguage(rawValue: $0) }) else { return nil }
            self = .setLanguage(language)
        case "phone": self = .selectPhone(Int(fields["phone"] ?? "") ?? 0)
        case "message": self = .openMessage(Int(fields["message"] ?? "") ?? 0)
        case "add-phone": self = .addPhone
        case "add-child": self = .addChild
        case "erase": self = .erase
        case "reinstall": self = .reinstall
        case "decide":
            guard let payment = fields["payment"] else { return nil }
            self = .decide(payment: payment, approve: flag("approve"))
        case "decide-refund":
            guard let request = fields["request"].flatMap({ Int64($0) }) else { return nil }
            self = .decideRefund(request, approve: flag("approve"))
        case "refund-latest": self = .refundLatest
        case "sell-hat": self = .sellWinterHat
        case "request-content":
            guard let proof = fields["proof"].flatMap({ ContentProof(rawValue: $0) }) else { return nil }
            self = .requestContent(proof)
        case "tour": self = .tour(fields["stop"].flatMap { Int($0) })
        case "show-stop": self = .showStop
        default: return nil
        }
    }
}

/// The answer to a sheet, from the fields of the sheet's form.
enum ShopSheetAnswer: Codable, Sendable, Hashable {
    case cancel
    case agree
    case refuse
    case credentials(account: String, password: String)
    case text(String)
    case refundReason(ConsumptionRequestReason)
    /// Enables or disables auto-renew for the subscription with a transaction.
    case autoRenew(TransactionID, Bool)
    case products(Set<ProductID>)

    init?(_ fields: [String: String]) {
        switch fields["answer"] {
        case "cancel": self = .cancel
        case "agree": self = .agree
        case "refuse": self = .refuse
        case "sign-in": self = .credentials(account: fields["account"] ?? "", password: fields["password"] ?? "")
        case "text": self = .text(fields["text"] ?? "")
        case "refund":
            guard let reason = fields["reason"].flatMap({ ConsumptionRequestReason(rawValue: $0) }) else { return nil }
            self = .refundReason(reason)
        case "renew": self = .autoRenew(TransactionID(fields["transaction"] ?? ""), fields["on"] == "1")
        case "products":
            // Read the names of the fields, because the form has a field named after each chosen product.
            self = .products(Set(fields.keys.filter { $0.hasPrefix("com.") }.map { ProductID($0) }))
        default: return nil
        }
    }

    var answer: SheetAnswer {
        switch self {
        case .cancel: .cancel
        case .agree: .agree
        case .refuse: .refuse
        case .credentials(let account, let password): .credentials(Credentials(account: AccountID(account), password: password))
        case .text(let text): .text(text)
        case .refundReason(let reason): .refundReason(reason)
        case .autoRenew(let transaction, let isOn):
            .subscription(isOn ? .enableAutoRenew(transaction) : .disableAutoRenew(transaction))
        case .products(let products): .products(products)
        }
    }
}
