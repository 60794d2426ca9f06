/// Carries out the actions of a person at a terminal, and waits for their effects.
@MainActor
final class TerminalVisit {
    /// The maximum number of actions in progress.
    private static let actionLimit = 32

    /// The numbers in a visit's state that show the end of an action's effects.
    struct Effects: Sendable {
        fileprivate let number: Int
        fileprivate let begun: Int
        fileprivate let launches: Int
        fileprivate let downloads: Int
        fileprivate let answersSheet: Bool
    }

    private let visitor: Visitor
    private var count = 0
    /// The numbers of the actions that have ended.
    private var ended: Set<Int> = []
    /// The number of actions in progress with a long download, which do not delay the next command.
    private var downloading = 0

    init(_ visitor: Visitor) { self.visitor = visitor }

    /// Waits until the app is launched on all phones.
    func waitForLaunch() async {
        await wait(for: Effects(number: 0, begun: 0, launches: visitor.phones.count, downloads: 0, answersSheet: false))
    }

    /// Returns the numbers that show the end of an action's effects.
    func effects(of action: ShopAction) -> Effects {
        count += 1
        let report = visitor.report(of: visitor.phone)
        let isAnswer = if case .answer = action { true } else { false }
        return Effects(
            number: count, begun: visitor.begun + 1, launches: launches + (action.launches ? 1 : 0), downloads: report.downloads,
            answersSheet: isAnswer && report.sheet != nil)
    }

    /// Carries out an action, and returns when its effects have ended.
    func perform(_ action: ShopAction, _ effects: Effects) async {
        await visitor.perform(action, limit: Self.actionLimit)
        ended.insert(effects.number)
        visitor.change()
    }

    /// Waits until the effects of an action have ended, a sheet waits for an answer, or a long download begins.
    ///
    /// If the action launches the app, the wait ends after the launch, or when the action ends without a launch. Each wait ends when the
    /// visitor leaves.
    func wait(for effects: Effects) async {
        // Wait until the effects of an answer have ended, because the page shows the answered sheet until the answer has arrived.
        if effects.answersSheet { for await _ in visitor.updates where ended.contains(effects.number) { break } }
        for await _ in visitor.updates {
            let report = visitor.report(of: visitor.phone)
            let hasBegun = visitor.begun >= effects.begun && launches >= effects.launches
            // Also check `ended`: an action that the limit ignores never begins, and an action can fail before it launches the app.
            guard hasBegun || ended.contains(effects.number), report.isLoaded || !report.isRunning else { continue }
            if visitor.busy <= downloading || visitor.phones.contains(where: { visitor.report(of: $0).sheet != nil }) {
                downloading = min(downloading, visitor.busy)
                return
            }
            // Return during a slow or offline download, so that the download does not delay the next command.
            if report.downloads > effects.downloads, !report.isFast || !report.isOnline {
                downloading = visitor.busy
                return
            }
        }
    }

    /// The number of completed launches on all phones.
    private var launches: Int { visitor.phones.reduce(0) { $0 + $1.launches } }
}
