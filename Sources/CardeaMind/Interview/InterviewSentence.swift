/// The sentences that the house says in the conversation. The raw values are the keys of the resource.
enum InterviewSentence: String, CaseIterable, Sendable {
    case greeting, cameUponOne, cameUponSeveral, welcomeBack, thatIsAll
    case askHouse, askRooms, askRoom, askKind, askCount, askRoomOfOne, askRoomOfSeveral, askWhichRoomOfOne, askWhichRoomOfSeveral
    case askMatch, askFound, askShared, askUnconnected, askNotFound, askConfirm, askForget
    case taken, soFar, noted, notedAlone, nothingYet, have, inTheRoom
    case neverMind, whatIsIt, knowRooms, soItIs, thatMany, asYouLike, thenItIs, noneOfThese, leftAlone, full, good, goodAlone
    case lookLater, whichOfThem, tellChange, takeIn, leaveOut, leaveThemOut, nothingToTakeIn, nothingToLeaveOut
    case pausing, stopped, help, questionsLater, noDevice, noteUnconnected, unconnected
    case becauseConnected, becauseGone, becauseSaidAnew, leaves, forget
    case stepMQTT, stepAnnounce, stepHomeAssistant, stepCode, stepBrand, stepNoBrand, stepKind, stepReplace, seenAs
    case oneInPlace, severalInPlace, oneWaits, severalWait, houseIsFull, notAllowed
    case listed, either, more, nothing, quoted, oneOf, oneOfVowel, several, counted, theThing, it, ofThem, calledSo, placed
    case there, inRoom, onRoom, inNamedRoom, atTheDoor, aThing, theHouse, unnamedThing, unnamedRoom, unnamedDevice
}

extension Interview {
    static func phrase(_ sentence: InterviewSentence, _ values: [Placeholder: String] = [:]) -> String {
        SentenceTemplate.render(EquipmentLexicon.english.sentences[sentence] ?? "", values)
    }
}
