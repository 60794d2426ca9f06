/// The guided tour of a visitor, and the player of scripts from stops of the tour and from links.
@MainActor
final class GuidedTour {
    /// The index of the current stop; nil while the tour is closed.
    private(set) var stop: Int?
    /// Whether the script of the current stop has been played to its end.
    private var isStopShown = false
    private let player = ScriptPlayer()

    /// The count of played actions and the total count of actions in the current script; nil before the first action and after the script
    /// ends.
    var progress: (done: Int, total: Int)? { player.progress }

    func begin() { stop = 0 }

    /// Moves to a stop; closes the tour if the index is nil or invalid.
    ///
    /// The script of the previous stop continues, because the next stop needs its result; closing the tour stops the script.
    func move(to stop: Int?) {
        if stop == nil { player.stop() }
        self.stop = stop.flatMap { TourStop.all.indices.contains($0) ? $0 : nil }
        isStopShown = false
    }

    /// Stops the current script, because the visitor has sent an action.
    func interrupt() { player.stop() }

    /// Plays a script until the script ends or the visitor sends an action.
    func play(_ script: VisitScript, on visitor: Visitor) async { await player.play(script, on: visitor) }

    /// Plays the script of the current stop, unless a script is played already.
    func show(on visitor: Visitor) async {
        guard let stop, !player.isPlaying else { return }
        await player.play(TourStop.all[stop].script, on: visitor) { isStopShown = self.stop == stop }
    }

    /// Returns the panel with the stop; nil while the tour is closed.
    func view(in language: PageLanguage) -> TourView? {
        stop.map { TourView($0, isPlaying: player.isPlaying, isShown: isStopShown, in: language) }
    }
}
