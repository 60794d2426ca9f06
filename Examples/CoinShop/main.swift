import Dispatch
import Foundation

let arguments = CommandLine.arguments.dropFirst()
let ledger = CoinLedger(file: URL(filePath: arguments.dropFirst().first ?? "coins.json"))
let shop = CoinShop(ledger: ledger, buying: arguments.first ?? "com.example.monkeyshop.credits5")
shop.open()
dispatchMain()
