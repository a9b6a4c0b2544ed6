/// The sentences about the state of the house: feelings, habits, what-if results and automations. Each is a key of the lexicon's file.
public enum StateSentence: String, CaseIterable, Hashable, Sendable {
    // MARK: Feelings

    case happy
    case worried
    case bored
    case excited
    case feelsAsUsual = "feels_as_usual"
    case feelsMuchMore = "feels_much_more"
    case feelsMore = "feels_more"
    case feelsMuchLess = "feels_much_less"
    case feelsLess = "feels_less"
    case percent
    case lessThanPercent = "less_than_percent"
    case withShare = "with_share"
    case severalNew = "several_new"
    case oneSmaller = "one_smaller"
    case severalSmaller = "several_smaller"
    case nothingMoves = "nothing_moves"
    case stillComing = "still_coming"
    case leftFromBefore = "left_from_before"
    case isPassing = "is_passing"

    // MARK: Activity

    case sensesSilent = "senses_silent"
    case isBusy = "is_busy"
    case isQuiet = "is_quiet"
    case isAwake = "is_awake"
    case devicesReached = "devices_reached"
    case knowsAll = "knows_all"
    case isBehind = "is_behind"
    case sensorsHeard = "sensors_heard"

    // MARK: Beginnings and durations

    case sinceTime = "since_time"
    case sinceDay = "since_day"
    case forDays = "for_days"

    // MARK: States

    case locked
    case notLocked = "not_locked"
    case shut
    case open
    case off
    case on
    case atHome = "at_home"

    // MARK: Dangers

    case smoke
    case greatHeat = "great_heat"
    case gas
    case carbonMonoxide = "carbon_monoxide"
    case water

    // MARK: Causes

    case someone
    case isOutOfReach = "is_out_of_reach"
    case isInTrouble = "is_in_trouble"
    case batteryLow = "battery_low"
    case batteryAt = "battery_at"
    case isJammed = "is_jammed"
    case reports
    case standsOpenLong = "stands_open_long"
    case standsOpenAtNight = "stands_open_at_night"
    case andItIsNight = "and_it_is_night"
    case tryRefused = "try_refused"
    case tryRefusedBy = "try_refused_by"
    case triesRefused = "tries_refused"
    case triesRefusedBy = "tries_refused_by"
    case hasComeHome = "has_come_home"
    case hasComeIn = "has_come_in"
    case nobodySince = "nobody_since"
    case nothingSince = "nothing_since"
    case isAsWanted = "is_as_wanted"
    case isColder = "is_colder"
    case isWarmer = "is_warmer"
    case showsCO2 = "shows_co2"
    case showsDust = "shows_dust"
    case showsAirQuality = "shows_air_quality"
    case didOne = "did_one"
    case didSeveral = "did_several"
    case failedOne = "failed_one"
    case failedSeveral = "failed_several"
    case isNew = "is_new"
    case learnedHome = "learned_home"
    case learnedClosing = "learned_closing"
    case learnedHours = "learned_hours"
    case learnedLevel = "learned_level"

    // MARK: Habits

    case aHabit = "a_habit"
    case notAsUsual = "not_as_usual"
    case usuallyBy = "usually_by"
    case seldom
    case nearlyAlways = "nearly_always"
    case allHours = "all_hours"
    case usuallyNot = "usually_not"
    case usuallyAt = "usually_at"
    case usuallyAtWeekends = "usually_at_weekends"
    case usuallyOnWorkingDays = "usually_on_working_days"
    case usuallyOnBoth = "usually_on_both"
    case usuallyShows = "usually_shows"
    case forgotClosing = "forgot_closing"
    case forgotHours = "forgot_hours"
    case forgotLevel = "forgot_level"
    case forgotHome = "forgot_home"
    case lateAsUsual = "late_as_usual"
    case lateAsWanted = "late_as_wanted"
    case oddAsUsual = "odd_as_usual"
    case oddAsWanted = "odd_as_wanted"
    case straysAsUsual = "strays_as_usual"
    case straysAsWanted = "strays_as_wanted"

    // MARK: Tidying up

    case toldOften = "told_often"
    case toldOftenAround = "told_often_around"
    case countedTogether = "counted_together"
    case goneTogether = "gone_together"
    case keptPinned = "kept_pinned"
    case keptTheirs = "kept_theirs"
    case keptOwn = "kept_own"
    case goneOld = "gone_old"
    case goneForRoom = "gone_for_room"
    case tidiedUp = "tidied_up"
    case whatWasTidied = "what_was_tidied"

    // MARK: Automations

    case ranTooOften = "ran_too_often"
    case noneDone = "none_done"
    case notAllDone = "not_all_done"

    // MARK: Imagined changes

    case keepRoom = "keep_room"
    case keepRoomDaily = "keep_room_daily"
    case haveOn = "have_on"
    case haveOff = "have_off"
    case haveOnDaily = "have_on_daily"
    case haveOffDaily = "have_off_daily"
    case watchNot = "watch_not"
    case watchOtherwise = "watch_otherwise"
    case otherHours = "other_hours"
    case noUseLimit = "no_use_limit"
    case oneUse = "one_use"
    case severalUses = "several_uses"
    case anotherEnd = "another_end"
    case askEachTime = "ask_each_time"
    case askNotEachTime = "ask_not_each_time"
    case anotherReach = "another_reach"
    case otherDoors = "other_doors"
    case takeBack = "take_back"
    case withRole = "with_role"
    case asSecurityDevice = "as_security_device"
    case notAsSecurityDevice = "not_as_security_device"
    case openToGuests = "open_to_guests"
    case closedToGuests = "closed_to_guests"

    // MARK: Predictions

    case energy
    case cost
    case comfort
    case temperature
    case access
    case onlyTheseDegrees = "only_these_degrees"
    case nothingHeats = "nothing_heats"
    case notCounted = "not_counted"
    case ofThat = "of_that"
    case costsMore = "costs_more"
    case saves
    case costsTheSame = "costs_the_same"
    case cannotSay = "cannot_say"
    case nothingToSay = "nothing_to_say"
    case wouldBeMore = "would_be_more"
    case wouldBeLess = "would_be_less"
    case wouldBeWarmer = "would_be_warmer"
    case wouldBeColder = "would_be_colder"
    case mayBeNoDifferent = "may_be_no_different"
    case aDegree = "a_degree"
    case comfortWouldBe = "comfort_would_be"
    case countedFrom = "counted_from"
    case ofSeveralRooms = "of_several_rooms"
    case withRange = "with_range"
    case counted
    case notANumber = "not_a_number"
    case tooGreat = "too_great"

    // MARK: Replayed access

    case nothingAsked = "nothing_asked"
    case inLastDays = "in_last_days"
    case onlySoLong = "only_so_long"
    case oneShut = "one_shut"
    case severalShut = "several_shut"
    case oneOpened = "one_opened"
    case severalOpened = "several_opened"
    case oneAsked = "one_asked"
    case severalAsked = "several_asked"
    case noDoorOtherwise = "no_door_otherwise"
    case oneUnknown = "one_unknown"
    case severalUnknown = "several_unknown"
    case oneByOtherRules = "one_by_other_rules"
    case severalByOtherRules = "several_by_other_rules"
    case letThrough = "let_through"
    case askedFirst = "asked_first"
    case refusedFor = "refused_for"
    case notKnown = "not_known"
    case gapActor = "gap_actor"
    case gapGrant = "gap_grant"
    case gapDevice = "gap_device"
    case gapNetwork = "gap_network"
    case gapUses = "gap_uses"
    case gapRules = "gap_rules"

    // MARK: Watch notifications

    case oneNotice = "one_notice"
    case severalNotices = "several_notices"
    case noticesByRules = "notices_by_rules"
    case noticesByNothing = "notices_by_nothing"
    case noticesUncompared = "notices_uncompared"

    // MARK: Savings

    case savesByDoingSo = "saves_by_doing_so"
    case savesByDegree = "saves_by_degree"
    case savesByHolding = "saves_by_holding"
    case savingIs = "saving_is"
    case savingIsWorth = "saving_is_worth"

    // MARK: Evidence

    case sameHours = "same_hours"
    case andOn = "and_on"
    case restsOn = "rests_on"
    case restsOnModel = "rests_on_model"
    case rangesHold = "ranges_hold"
    case moneyAt = "money_at"
    case rateIs = "rate_is"

    // MARK: Unanswerable metrics

    case electricity
    case solar
    case bothKinds = "both_kinds"
    case tooThin = "too_thin"
    case notMetered = "not_metered"
    case heatingNotMetered = "heating_not_metered"
    case neverRead = "never_read"
    case noRate = "no_rate"
    case severalKinds = "several_kinds"
    case noPreference = "no_preference"
    case noRoomChanged = "no_room_changed"
    case noAccessChanged = "no_access_changed"
    case attemptsUnknown = "attempts_unknown"
    case neverOn = "never_on"
    case nothingHeard = "nothing_heard"
    case useHidden = "use_hidden"
    case standsNowhere = "stands_nowhere"
    case noSources = "no_sources"
    case fewReadings = "few_readings"
    case alwaysAsWarm = "always_as_warm"
    case heatingUnchanged = "heating_unchanged"
    case cannotBeRoom = "cannot_be_room"
    case heatingCools = "heating_cools"
    case undetermined
    case readingsAstray = "readings_astray"
}
