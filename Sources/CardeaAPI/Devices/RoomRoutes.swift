extension Route {
    public static var showHouse: Route {
        Route(.get, "/api/v1/house", .devices, "Get the house and its time", .ok(HouseAnswer.self))
    }

    public static var changeHouse: Route {
        Route(
            .put, "/api/v1/house", .devices, "Change the house's name, time zone and preferences; omitted fields stay",
            body: .json(ChangeHouseBody.self),
            .ok(HouseAnswer.self), traits: [.ifMatch])
    }

    public static var listRooms: Route {
        Route(.get, "/api/v1/rooms", .devices, "List the rooms in order", .ok(RoomsAnswer.self))
    }

    public static var addRoom: Route {
        Route(
            .post, "/api/v1/rooms", .devices, "Create a room", body: .json(RoomBody.self), .created(RoomDescriptionAnswer.self),
            fails: [.conflict])
    }

    public static var showRoom: Route {
        Route(
            .get, "/api/v1/rooms/{id}", .devices, "One room", .ok(RoomDescriptionAnswer.self), fails: [.roomNotFound], traits: [.entityTag])
    }

    public static var replaceRoom: Route {
        Route(
            .put, "/api/v1/rooms/{id}", .devices, "Replace a room", body: .json(RoomBody.self), .ok(RoomDescriptionAnswer.self),
            fails: [.roomNotFound], traits: [.ifMatch])
    }

    public static var removeRoom: Route {
        Route(
            .delete, "/api/v1/rooms/{id}", .devices, "Delete a room; its devices stay", .noContent, fails: [.roomNotFound],
            traits: [.ifMatch])
    }
}
