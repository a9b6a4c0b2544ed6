import ArgumentParser
import CardeaAPI
import CardeaModel
import Foundation

/// Options of every command.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the hub's JSON answer on standard output, and errors as JSON on standard error.")
    var json = false
}
