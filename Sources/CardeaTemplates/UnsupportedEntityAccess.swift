/// Names of Home Assistant that read other entities, devices and areas. A template of one device has no use of them here.
enum UnsupportedEntityAccess {
    static let functions: Set<String> = [
        "area_devices", "area_entities", "area_id", "area_name", "areas", "closest", "config_entry_attr", "config_entry_id",
        "device_attr", "device_entities", "device_id", "distance", "expand", "floor_areas", "floor_entities", "floor_id", "floor_name",
        "floors", "has_value", "integration_entities", "is_device_attr", "is_hidden_entity", "is_state", "is_state_attr", "issue",
        "issues", "label_areas", "label_devices", "label_entities", "label_id", "label_name", "labels", "state_attr",
        "state_translated", "states",
    ]
    static let filters = functions
    static let tests: Set<String> = ["has_value", "is_device_attr", "is_hidden_entity", "is_state", "is_state_attr"]
}
