extension Route {
    public static var showHouse: Route {
        Route(.get, "/api/v1/house", .devices, "The house and its clock", .ok(HouseAnswer.self))
    }

    public static var changeHouse: Route {
        Route(
            .put, "/api/v1/house", .devices, "What the house is called, its clock and what it prefers; what is left out stays",
            body: .json(ChangeHouseBody.self),
            .ok(HouseAnswer.self), traits: [.ifMatch])
    }

    public static var listRooms: Route {
        Route(.get, "/api/v1/rooms", .devices, "The rooms, in their order", .ok(RoomsAnswer.self))
    }

    public static var addRoom: Route {
        Route(
            .post, "/api/v1/rooms", .devices, "A new room", body: .json(RoomBody.self), .created(RoomDescriptionAnswer.self),
            fails: [.conflict])
    }

    public static var showRoom: Route {
        Route(
            .get, "/api/v1/rooms/{id}", .devices, "One room", .ok(RoomDescriptionAnswer.self), fails: [.roomNotFound], traits: [.entityTag])
    }

    public static var replaceRoom: Route {
        Route(
            .put, "/api/v1/rooms/{id}", .devices, "Describe a room anew", body: .json(RoomBody.self), .ok(RoomDescriptionAnswer.self),
            fails: [.roomNotFound], traits: [.ifMatch])
    }

    public static var removeRoom: Route {
        Route(
            .delete, "/api/v1/rooms/{id}", .devices, "Take a room out; its devices stay", .noContent, fails: [.roomNotFound],
            traits: [.ifMatch])
    }
}
