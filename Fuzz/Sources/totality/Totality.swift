import CrashNote
import Foundation
import FuzzSupport
import PurchaseProof

/// Damages signed samples and checks that every damaged sample is refused or has the same content.
///
///     totality SAMPLES [PART PARTS]
///
/// SAMPLES is a folder that `scripts/samples` created. Several processes can share the work: each one processes PART of PARTS,
/// counted from 0. The program prints a line for each sample. The exit status is 1 if a damaged sample was verified with other
/// content, or if memory or time exceeded the limit for the input. A trap prints the sample and the mutation.
@main struct Totality {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 || arguments.count == 4, let part = Int(arguments.count == 4 ? arguments[2] : "0"),
            let parts = Int(arguments.count == 4 ? arguments[3] : "1"), parts > 0
        else {
            print("usage: totality SAMPLES [PART PARTS]")
            exit(64)
        }
        crash_note_install()
        do {
            var trial = try Trial(samples: URL(filePath: arguments[1]))
            try await trial.run(part: part, of: parts)
            exit(trial.findings == 0 ? 0 : 1)
        } catch {
            print("totality: \(error)")
            exit(1)
        }
    }
}
