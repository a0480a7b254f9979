package reconcile

import "time"

// The bounds of the guards stand here. When a booking is overdue or doubled says resolve/guards.go (Overdue, Doubled), and how many
// changes there must be to ask about them models/claim/internal/engine (FewChanges). A source document sets the shares that differ from jail to jail (complete.shrink,
// turnover and rewrite); how few people are too few to judge by is the same for all.

// Shrink: how many rows may go, whatever share of them that is (shrunk).
const (
	// shrinkSlack is how many rows may always go: in a jail of ten, three releases are an ordinary day.
	shrinkSlack = 3
	// daySlack is the same for all of a day: a lock-up that was full in the evening is nearly empty the next noon.
	daySlack = 10
	// untakenShare and untakenSlack bound the rows of a complete snapshot that could not be taken. The people behind a few
	// are exempt from absence by key and name; with many, the columns themselves are in doubt.
	untakenShare = 0.05
	untakenSlack = 1
)

// Key turnover: what comes and goes in a jail within a day is well under half of it, except in a jail of few. Most
// people who are new were booked since the last snapshot.
const (
	// turnedCount is how many keys must have come, and gone, at least.
	turnedCount = 10
	// overdueCount is the same where those who came were booked long before (overdue).
	overdueCount = 2
	// overdueShare is the share of the listed that is overdue, and of the known that is gone; the same for those in whose
	// place another person stands.
	overdueShare = 0.5
	// againShare is the share of the known who are gone from one key and listed under another.
	againShare = 0.1
	// againCount is how many they are at least, and againMany how many are enough in any case.
	againCount = 2
	againMany  = 10
	// doubledCount is how many of those whom a snapshot books must be known to be booked at about that time, at least, and
	// doubledShare the share of all whom it books beyond which that is implausible. People do come back within two days.
	doubledCount = 3
	doubledShare = 0.5
	// elsewhereCount and elsewhereShare are the same of people whom the source has in another county. A few are moved, and keep
	// their time of booking.
	elsewhereCount = 5
	elsewhereShare = 0.5
	// exchangedCount is the same of the people who have new cases at a court, and half of them must be known, too: people are
	// charged again, and a day's citations come in several files.
	exchangedCount = 20
	// turnedForever is the time after which any turnover is plausible.
	turnedForever = 7 * 24 * time.Hour
)

// Mass change: a source that reports only what changed has ordinary days, above all its first, on which most of the few
// people it knows leave.
const (
	// releaseSlack is how many may always be released by a source that lists everybody, and deltaReleaseSlack by any other.
	releaseSlack      = shrinkSlack
	deltaReleaseSlack = 25
	// overdueReleases is how many are released at a time long past, at least, and overdueReleaseShare the share of those of
	// whom the source speaks.
	overdueReleases     = 5
	overdueReleaseShare = 0.5
	// changedCount is how many people must get another value of one fact at least, of a source that lists everybody,
	// deltaChangedCount of any other, and steadyCount of any where that is never an ordinary day (steady).
	changedCount      = 5
	deltaChangedCount = 20
	steadyCount       = 5
	// filedCount is how many cases must get another day of filing at least, and movedCount how many where all of them move by
	// one and the same interval. Clerks correct batches.
	filedCount = 20
	movedCount = 10
	// restrictedCases is how many cases at least must be restricted at once: courts restrict batches.
	restrictedCases = 20
	// closedCases is how many cases a court must close at once at least, and closedShare the share of its open ones. A day of
	// pleas may close most of them.
	closedCases = 25
	closedShare = 0.9
	// ownersCount and ownersShare are the same of those alone who had the fact. On a day of hearings more than half of all
	// bonds may change.
	ownersCount = 10
	ownersShare = 0.75
	// alikeCount is how many must get one and the same value, or lose the fact, of a source that lists everybody, and
	// deltaAlikeCount of any other.
	alikeCount      = 5
	deltaAlikeCount = 10
)

// Missing fields: what a snapshot lacks is believed to be gone if chance would leave it out this rarely.
const (
	// byChance is for what casts doubt on a whole snapshot (Gone).
	byChance = 0.001
	// byChanceSafe is for what does no harm where it is wrong: juveniles stay unpublished, and what is known stays (Fading).
	byChanceSafe = 0.05
	// birthsLeft is the part of the usual share of birth dates below which they count as gone.
	birthsLeft = 0.1
	// flagsCount is how many rows a snapshot must have to be asked for the flags of juveniles.
	flagsCount = 5
	// flagsShare is the share of people who had a flag before, below which nobody is asked for one: it is written of juveniles
	// alone, or by some clerks.
	flagsShare = 0.5
	// obscureCount is how many rows have an unreadable age or birth date, at least.
	obscureCount = 5
	// obscureShare is the share of all rows beyond which the column means something else.
	obscureShare = 0.5
)
