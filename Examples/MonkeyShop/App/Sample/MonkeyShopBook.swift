public import PurchaseKit

/// A book of the sample app, with a generated text that never changes.
public enum MonkeyShopBook: String, Codable, CaseIterable, Sendable {
    /// A novel that the developer's server delivers with the purchase, long enough for a test to interrupt the download.
    case receipts
    /// A large atlas that the user downloads from the developer's server on request.
    case atlas
    /// A song book that the App Store hosts.
    case songs

    /// Creates the book of a product; nil if the product is not a book.
    ///
    /// - Parameter product: A product of the sample app.
    public init?(_ product: ProductID) {
        guard let book = Self.allCases.first(where: { $0.product == product }) else { return nil }
        self = book
    }

    /// The product with which a customer buys the book.
    public var product: ProductID {
        switch self {
        case .receipts: MonkeyShopProduct.book
        case .atlas: MonkeyShopProduct.atlas
        case .songs: MonkeyShopProduct.songs
        }
    }

    /// The name of the book's file in the server's content folder; nil for a book that the App Store hosts.
    public var file: String? {
        switch self {
        case .receipts: "the-monkey-who-kept-receipts.txt"
        case .atlas: "the-atlas-of-every-banana.txt"
        case .songs: nil
        }
    }

    /// The whole text of the book.
    public var text: String {
        switch self {
        case .receipts: Self.novel
        case .atlas: Self.entries
        case .songs: Self.verses
        }
    }

    private static let trees = ["fig", "palm", "kapok", "mango", "breadfruit", "cashew", "teak"]

    private static var novel: String {
        let activities = [
            "counted the rungs of the ladder",
            "waited for the rain to end",
            "wrote down the price of one banana",
            "looked for the market",
            "asked the parrot for change",
            "put the receipt into the hollow trunk",
        ]
        var lines = ["The monkey had kept every receipt since the first banana.", ""]
        for chapter in 1...60 {
            lines.append("Chapter \(chapter)")
            lines.append("")
            for paragraph in 1...100 {
                let tree = trees[(chapter &* 5 &+ paragraph) % trees.count]
                let activity = activities[(chapter &+ paragraph &* 3) % activities.count]
                let nextActivity = activities[(chapter &* 7 &+ paragraph) % activities.count]
                lines.append("In the \(tree) tree, on day \(chapter * 100 + paragraph), the monkey \(activity), and then \(nextActivity).")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    private static var entries: String {
        let places = [
            "above the waterfall", "behind the old ladder", "at the bend of the river", "below the parrot’s nest", "near the market",
        ]
        var lines = ["Every banana has a place, and this book knows each of them.", ""]
        for number in 1...2_000 {
            let (tree, place) = (trees[number % trees.count], places[number &* 3 % places.count])
            lines.append("Banana \(number) hangs in the \(tree) tree \(place). It weighs \(90 + number &* 7 % 60) grams.")
            if number.isMultiple(of: 8) { lines.append("") }
        }
        return lines.joined(separator: "\n")
    }

    private static var verses: String {
        let sounds = ["drip", "swing", "hush", "clap", "hoot"]
        var lines = ["Sing these in the rain, and the rain will keep the beat.", ""]
        for number in 1...2_000 {
            let (tree, sound) = (trees[number % trees.count], sounds[number &* 2 % sounds.count])
            lines.append("Song \(number)")
            lines.append("Oh \(tree) tree, oh \(tree) tree, the leaves go \(sound) and \(sound),")
            lines.append("the ladder leans on branch \(number % 9 + 1), and home is where we \(sounds[number % sounds.count]).")
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
