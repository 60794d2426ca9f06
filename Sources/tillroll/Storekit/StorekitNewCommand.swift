import ArgumentParser
import Foundation
import FoundationExtras
import LocalAppStore
import PrivateFiles
import PurchaseModel

/// Writes a new `.storekit` file with sample products, or with the products of the options.
struct StorekitNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a .storekit file with sample products, or with the products of --product.",
        discussion: """
            The file has Xcode's format; Xcode, `store up --storekit` and PurchaseServer read the file. Without --product, the file has a \
            consumable, a non-consumable, and a subscription group with a yearly and a monthly subscription, which begins with a free \
            trial of one week. The identifiers of these products begin with --bundle-id.

              tillroll storekit new Shop.storekit --bundle-id com.example.shop
              tillroll storekit new --product com.example.coins:consumable:0.99 --product com.example.pro:monthly:4.99
              tillroll storekit new - --storefront DEU > Shop.storekit

            TYPE is consumable, non-consumable or non-renewing. The TYPE of an auto-renewable subscription is its period: weekly, \
            monthly, yearly, P2M, P3M or P6M; all subscriptions are in one group and on one level. PRICE is a decimal in the currency \
            of --storefront. The display name of a product is derived from its identifier; change names and descriptions in the file.
            """,
        exitCodes: ExitCodeFooter(
            success: "the file is written", refused: "the file exists", outputError: "the file can't be written")
    )

    @Argument(
        help: ArgumentHelp("The new file (default: Products.storekit); - for standard output.", valueName: "file"), transform: nonEmptyPath)
    var file = "Products.storekit"
    @Option(
        help: ArgumentHelp(
            "A product as ID:TYPE:PRICE, such as com.example.coins:consumable:0.99; repeat the option for each product.",
            valueName: "product"),
        transform: NewProductOption.parse)
    var product: [NewProductOption] = []
    @Option(help: "The bundle ID with which the identifiers of the sample products begin.") var bundleID = "com.example.app"
    @Option(help: "The country code of the storefront, which determines the currency.") var storefront = "USA"
    @Flag(help: "Replace an existing file.") var force = false
    @OptionGroup(title: "Output") var report: ReportOptions

    func validate() throws {
        guard !(file == "-" && report.json) else {
            throw ValidationError("--json describes the written file, and - prints the file itself. Give a file, or leave out --json.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        guard let storefront = Storefront(countryCode: storefront) else {
            throw ValidationError("Unknown storefront \(TerminalText.safe(storefront)). Give an alpha-3 country code such as USA or DEU.")
        }
        let products =
            product.isEmpty ? NewCatalog.samples(bundleID, storefront) : try product.map { try $0.product(in: storefront) }
        let catalog: Catalog
        do { catalog = try NewCatalog.catalog(of: products, in: storefront) } catch {
            throw ValidationError("\(TerminalText.safe("\(error)")) Give other products with --product.")
        }
        guard file != "-" else { return try StandardOutput.bytes([UInt8](catalog.storekit)) }
        try write(catalog.storekit)
        let output = NewCatalogReport(file: file, catalog: catalog)
        if report.json {
            try StandardOutput.bytes(output.json.bytes + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines(output.lines(.detected()))
        }
    }

    /// Writes the file completely or not at all.
    ///
    /// - Throws: `ExitCode.refused` or `ExitCode.outputError`, after a message on standard error.
    private func write(_ data: Data) throws {
        if !force {
            // Create the file only if the path is free, so that a file of another process is not replaced.
            do { try FileDescriptor.opening(file, O_WRONLY | O_CREAT | O_EXCL).close() } catch {
                guard error.number == EEXIST else { throw failure("\(error)") }
                StandardError.line("Error: \(TerminalText.safe(file)) exists. Replace it with --force, or give another file.")
                throw ExitCode.refused
            }
        }
        do { try DurableFile.replace(file, with: data, isPublic: true) } catch {
            if !force { try? FileManager.default.removeItem(atPath: file) }
            throw failure("\(error)")
        }
    }

    private func failure(_ reason: String) -> ExitCode {
        StandardError.line("Error: \(TerminalText.safe(file)) can't be written: \(reason). Check the folder and its free space.")
        return .outputError
    }
}

/// A product of a new `.storekit` file on the command line: `ID:TYPE:PRICE`.
struct NewProductOption: ExpressibleByArgument, Sendable {
    /// The ISO 8601 periods of auto-renewable subscriptions, by the names that the option accepts.
    private static let periods = [
        "weekly": "P1W", "monthly": "P1M", "yearly": "P1Y", "P1W": "P1W", "P1M": "P1M", "P2M": "P2M", "P3M": "P3M", "P6M": "P6M",
        "P1Y": "P1Y",
    ]

    let id: String
    let type: ProductType
    /// The period of an auto-renewable subscription; nil for other products.
    let period: BillingPeriod?
    /// The price as text, which is parsed when the currency is known.
    let price: String

    /// Parses a product from `ID:TYPE:PRICE`.
    ///
    /// - Throws: A usage error that lists the types.
    static func parse(_ text: String) throws -> NewProductOption {
        if let option = NewProductOption(argument: text) { return option }
        throw ValidationError(
            "Invalid product \(TerminalText.safe(TerminalText.shortened(text, to: 80))). Give ID:TYPE:PRICE, with one of the types consumable, "
                + "non-consumable, non-renewing, weekly, monthly, yearly, P2M, P3M and P6M, such as com.example.pro:monthly:4.99.")
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty else { return nil }
        (id, price) = (parts[0], parts[2])
        switch parts[1] {
        case "consumable": (type, period) = (.consumable, nil)
        case "non-consumable": (type, period) = (.nonConsumable, nil)
        case "non-renewing": (type, period) = (.nonRenewing, nil)
        case let name:
            guard let period = Self.periods[name].flatMap(BillingPeriod.init(iso8601:)) else { return nil }
            (type, self.period) = (.autoRenewable, period)
        }
    }

    /// Returns the product with its price in the currency of a storefront.
    ///
    /// - Throws: A usage error if the price is not an amount in the currency.
    func product(in storefront: Storefront) throws -> CatalogProduct {
        let currency = StoreCurrency(storefront.currency)
        guard let money = Money(decimal: price, currency: currency.code), money.milliunits % currency.milliunitsPerMinorUnit == 0 else {
            let form = currency.decimals == 0 ? "without decimals" : "with at most \(currency.decimals) decimals, such as 4.99"
            throw ValidationError("Invalid price \(TerminalText.safe(price)) of \(TerminalText.safe(id)): give an amount \(form).")
        }
        guard period == nil || money.milliunits > 0 else {
            throw ValidationError("The price of the subscription \(TerminalText.safe(id)) is 0: give a higher price.")
        }
        return NewCatalog.product(id, type, NewCatalog.name(of: id), price: money, in: storefront, period: period)
    }
}

/// The products of a new `.storekit` file.
enum NewCatalog {
    /// The group of all subscriptions of a new file.
    private static let group = SubscriptionGroupID("21400001")

    /// The members that Xcode expects in every file.
    private static let skeleton = """
        {"identifier":"7A110001","nonRenewingSubscriptions":[],"products":[],"settings":{},"subscriptionGroups":[],\
        "version":{"major":4,"minor":0}}
        """

    /// Returns a catalog with products and the settings of a storefront.
    ///
    /// - Throws: ``CatalogError`` if two products have the same identifier, or an identifier is invalid.
    static func catalog(of products: [CatalogProduct], in storefront: Storefront) throws(CatalogError) -> Catalog {
        var catalog = try Catalog(storekit: Data(skeleton.utf8)).setting(
            CatalogSettings(locale: storefront.locale, storefront: storefront.countryCode, billingGracePeriodIsEnabled: true))
        for product in products {
            guard catalog.item(product.id) == nil else {
                throw .invalidValue(path: "productID", reason: "two products have the identifier \(product.id).")
            }
            if product.subscription != nil, catalog.group(group) == nil {
                let text = CatalogLocalization(locale: storefront.locale, name: "Subscriptions", summary: "")
                catalog = try catalog.setting(CatalogGroup(id: group, name: "Subscriptions", localizations: [text]))
            }
            catalog = try catalog.setting(product)
        }
        return catalog
    }

    /// Returns a product whose localization is in the storefront's locale.
    static func product(
        _ id: String, _ type: ProductType, _ name: String, _ summary: String = "", price: Money, in storefront: Storefront,
        isFamilyShareable: Bool = false, period: BillingPeriod? = nil, offers: [SubscriptionOffer] = []
    ) -> CatalogProduct {
        CatalogProduct(
            id: ProductID(id), type: type, referenceName: name, price: price, isFamilyShareable: isFamilyShareable,
            localizations: [CatalogLocalization(locale: storefront.locale, name: name, summary: summary)],
            subscription: period.map { CatalogSubscription(group: group, period: $0, offers: offers) })
    }

    /// Returns the sample products, with prices that are usual in the storefront's currency.
    static func samples(_ bundleID: String, _ storefront: Storefront) -> [CatalogProduct] {
        func price(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, currency: "USD").converted(to: storefront.currency) }
        let (week, month, year) = (BillingPeriod(1, .week), BillingPeriod(1, .month), BillingPeriod(1, .year))
        let trial = week.map {
            SubscriptionOffer(kind: .introductory, mode: .freeTrial, period: $0, price: Money(milliunits: 0, currency: storefront.currency))
        }
        return [
            product("\(bundleID).coins", .consumable, "100 Coins", "Coins to spend in the app.", price: price(990), in: storefront),
            product(
                "\(bundleID).themes", .nonConsumable, "All Themes", "All themes, forever.", price: price(4_990), in: storefront,
                isFamilyShareable: true),
            product(
                "\(bundleID).pro.yearly", .autoRenewable, "Pro, yearly", "All features for a year.", price: price(49_990), in: storefront,
                period: year),
            product(
                "\(bundleID).pro.monthly", .autoRenewable, "Pro, monthly", "All features for a month.", price: price(4_990),
                in: storefront, period: month, offers: trial.map { [$0] } ?? []),
        ]
    }

    /// Returns a display name for an identifier without its reverse domain: `Pro Monthly` for `com.example.pro.monthly`.
    static func name(of id: String) -> String {
        let parts = id.split(separator: ".")
        let own = parts.count > 2 ? parts.dropFirst(2) : parts[...]
        let words = own.flatMap { $0.split { $0 == "_" || $0 == "-" } }
        return words.isEmpty ? id : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}

/// The description of a new `.storekit` file for the output.
struct NewCatalogReport {
    let file: String
    let catalog: Catalog

    /// The report as a JSON object.
    var json: JSONValue {
        let products = catalog.products.map { product in
            JSONValue.object([
                JSONValue.Member("id", .string(product.id.rawValue)), JSONValue.Member("type", .string(product.type.rawValue)),
                JSONValue.Member("price", .string("\(product.price.decimal)")),
                JSONValue.Member("currency", .string(product.price.currency)),
            ])
        }
        return .object([
            JSONValue.Member("file", .string(file)), JSONValue.Member("storefront", .string(catalog.storefront.countryCode)),
            JSONValue.Member("products", .array(products)),
        ])
    }

    /// Returns the report as lines of text.
    func lines(_ style: TerminalStyle) -> [String] {
        var table = TextTable(["product", "type", "price"])
        for product in catalog.products {
            let period = product.subscription.map { " \($0.period.iso8601)" } ?? ""
            table.add([
                product.id.rawValue, product.type.rawValue + period, "\(product.price.decimal) \(product.price.currency)",
            ])
        }
        let count = catalog.products.count
        return ["\(style.good("written"))  \(TerminalText.safe(file))  \(count) product\(count == 1 ? "" : "s")", ""] + table.lines(style)
    }
}
