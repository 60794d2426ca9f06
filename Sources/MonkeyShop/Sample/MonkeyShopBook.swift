/// The sample's book: some hundred kilobytes, so that a connection has time to break.
enum MonkeyShopBook {
    private static let trees = ["fig", "palm", "kapok", "mango", "breadfruit", "cashew", "teak"]
    private static let doings = [
        "counted the rungs of the ladder",
        "waited for the rain to end",
        "wrote down the price of one banana",
        "looked for the market",
        "asked the parrot for change",
        "put the receipt into the hollow trunk",
    ]

    /// The whole text; the same each time.
    static var text: String {
        var lines = ["The monkey had kept every receipt since the first banana.", ""]
        for chapter in 1...60 {
            lines.append("Chapter \(chapter)")
            lines.append("")
            for paragraph in 1...100 {
                let tree = trees[(chapter &* 5 &+ paragraph) % trees.count]
                let doing = doings[(chapter &+ paragraph &* 3) % doings.count]
                let again = doings[(chapter &* 7 &+ paragraph) % doings.count]
                lines.append("In the \(tree) tree, on day \(chapter * 100 + paragraph), the monkey \(doing), and then \(again).")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
