// door
