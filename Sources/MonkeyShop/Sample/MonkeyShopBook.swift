/// The text of the sample app's book, which is long enough that a download can be interrupted.
enum MonkeyShopBook {
    private static let trees = ["fig", "palm", "kapok", "mango", "breadfruit", "cashew", "teak"]
    private static let activities = [
        "counted the rungs of the ladder",
        "waited for the rain to end",
        "wrote down the price of one banana",
        "looked for the market",
        "asked the parrot for change",
        "put the receipt into the hollow trunk",
    ]

    /// The whole text of the book; each call generates the same text.
    static var text: String {
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
}
