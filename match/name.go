package match

// Name is a parsed name, ready to be compared any number of times and safe to
// share. It holds a small set of readings rather than one: "JUAN GARCIA LOPEZ"
// may have one surname or two. The zero Name matches nothing.
type Name struct {
	readings []reading
}

// Limits of a reading: what lies beyond is dropped, and one name has at most
// maxReadings of them, the most plausible ones.
const (
	maxSurnames = 3
	maxGiven    = 4
	maxReadings = 8
)

// reading is one way to understand a name.
type reading struct {
	surname [maxSurnames]*word
	given   [maxGiven]*word
	prior   float32 // log-odds against the plainest reading, 0 or below
	surs    uint8   // how many surnames are set
	givs    uint8   // how many given names are set
	suffix  suffix
	how     origin
	cut     bool // the source may have cut the name off
	// given precedes the surnames in the source: the surname is what was cut.
	surnameLast bool
}

// origin says where a reading comes from, for the reasons.
type origin uint8

const (
	asWritten origin = iota
	asLastFirst
	asSwapped
	asTwoSurnames
	asAlias
	asSplit
)

// suffix is the generation after a name.
type suffix uint8

const (
	noSuffix suffix = iota
	senior
	junior
	second
	third
	fourth
	fifth
)

// String returns the suffix as it is commonly written.
func (s suffix) String() string {
	return [...]string{"", "SR", "JR", "II", "III", "IV", "V"}[s]
}

// Empty reports whether nothing in the name could be read as a name.
func (n *Name) Empty() bool { return len(n.readings) == 0 }
