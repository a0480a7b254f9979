package mapping

// targets is the closed list of fields: kind of source -> entity -> field. Each has a sentence for authors of source
// documents, which docs/sources-reference.md shows.
var targets = map[string]map[string]map[string]target{
	"roster": {
		"booking": {
			"number":      {says: "Booking number of the jail."},
			"locator":     {says: "Address or place by which the source finds the booking."},
			"county":      {says: "County of the row, by any spelling. Where the document names one, it must be that."},
			"observed_at": {form: timeF, says: "Instant that the row speaks of, if it states one; a row of the future goes to quarantine."},
			"booked_at":   {form: timeF, need: true, says: "When the person was booked; a day alone is enough."},
			"booked_time": {form: clockF, says: "Time of day of the booking, where it has a column of its own."},
			"released_at": {form: timeF, says: "When the person was or will be released; a time of the future is a planned release."},
			"released":    {form: boolF, says: "Whether the row itself says that the person is released."},
			"bond":        {form: moneyF, says: "Total bond of the booking."},
			"agency":      {says: "Law-enforcement agency that the list names for the booking: on most lists the one that arrested. Leave out a column that holds something else too."},
			"juvenile":    {form: boolF, says: "The source's own flag for a juvenile."},
			"photograph":  {says: photographSays},
		},
		"release": {
			"number":      {says: "Number of the booking that ended."},
			"observed_at": {form: timeF, says: "Instant that the row speaks of, if it states one."},
			"released_at": {form: timeF, says: "When the person was released."},
		},
		"person": with(personFields, map[string]target{
			"number": {says: "Number of the person in the source."},
			"name":   {says: "Whole name; with a comma it is read as LAST, FIRST MIDDLE."},
		}),
		"charge": {
			"description": {says: "Text of the charge."},
			"statute":     {says: "Section of the code."},
			"severity":    {says: "Felony, misdemeanor or another degree, as the source calls it."},
			"bond":        {form: moneyF, says: "Bond of this charge."},
			"disposition": {says: "Outcome of the charge."},
			"order":       {form: wholeF, says: "Position of the charge, where the rows come in any order."},
		},
	},
	"courts": {
		"case": with(caseKey, with(personFields, map[string]target{
			"observed_at":      {form: timeF, says: "Instant that the row speaks of, if it states one."},
			"defendant":        {says: "Whole name of the defendant."},
			"booking":          {says: "Booking number that the court names."},
			"offense":          {says: "Offense of the case; without it, that of the first charge."},
			"filed":            {form: dateF, says: "Day on which the case was filed; without it the case shows the earliest day known of it."},
			"bail":             {form: moneyF, says: "Bail of the case; NO BOND or $0.00 says that none is set."},
			"status":           {form: enumF, values: []string{"pending", "closed", "warrant"}, says: "Where the case stands."},
			"judge":            {says: "Judge of the case."},
			"link":             {says: "Address of the court's page of the case, http or https."},
			"juvenile":         {form: boolF, says: "The court's own flag for a juvenile."},
			"disposition_date": {form: dateF, says: "Day of the disposition that the row states with the case."},
			"disposition":      {says: "Outcome that the row states with the case."},
			"sentence":         {says: "Sentence that the row states with the case."},
		})),
		"charge": with(caseKey, map[string]target{
			"sequence":         {form: wholeF, says: "Number of the charge within the case."},
			"description":      {need: true, says: "Text of the charge."},
			"statute":          {says: "Section of the code."},
			"severity":         {says: "Felony, misdemeanor or another degree, as the court calls it."},
			"disposition":      {says: "Outcome of the charge."},
			"disposition_date": {form: dateF, says: "Day of that outcome."},
			"offense_date":     {form: dateF, says: "Day of the offense."},
			"arrest_date":      {form: dateF, says: "Day of the arrest for it."},
		}),
		"judge": with(caseKey, map[string]target{"name": {says: "Judge of the case."}}),
		"hearing": with(caseKey, map[string]target{
			"event":     {says: "Number of the hearing, by which it is recognised again; a court without numbers needs day, time and kind, joined."},
			"date":      {form: dateF, need: true, says: "Day of the hearing."},
			"time":      {form: clockF, says: "Time of the hearing."},
			"kind":      {says: "What the hearing is for."},
			"judge":     {says: "Judge of the hearing."},
			"location":  {says: "Courtroom or place of the hearing."},
			"link":      {says: "Address of a virtual hearing, http or https."},
			"cancelled": {form: boolF, says: "Whether the hearing is cancelled."},
		}),
		"disposition": with(caseKey, map[string]target{
			"date":     {form: dateF, need: true, says: "Day of the disposition."},
			"outcome":  {need: true, says: "Text of the disposition."},
			"sentence": {says: "Sentence that belongs to it."},
		}),
		"removal": with(caseKey, map[string]target{"event": {need: true, says: "Number of the hearing that is withdrawn."}}),
	},
	"corrections": {
		"offender": with(personFields, map[string]target{
			"id":           {need: true, says: "The department's number of the record."},
			"name":         {says: "Whole name; with a comma it is read as LAST, FIRST MIDDLE."},
			"observed_at":  {form: timeF, says: "Instant that the row speaks of, if it states one."},
			"juvenile":     {form: boolF, says: "The department's own flag for a juvenile."},
			"photograph":   {says: photographSays},
			"category":     {form: enumF, values: []string{"offender", "parolee", "sex_offender"}, says: "Which list the record is of."},
			"status":       {form: enumF, values: []string{"incarcerated", "paroled", "released"}, says: "Where the person is."},
			"institution":  {says: "Prison or centre."},
			"sentence":     {says: "Sentence as one text."},
			"release_date": {form: dateF, says: "Day of the release."},
			"projected":    {form: boolF, says: "Whether that day is only projected."},
			"parole_end":   {form: dateF, says: "Day on which parole ends."},
		}),
		"sentence": {
			"years":         {form: wholeF, says: "Years of the sentence."},
			"months":        {form: wholeF, says: "Months of the sentence."},
			"days":          {form: wholeF, says: "Days of the sentence."},
			"length":        {says: "Length of the sentence as one text."},
			"completed":     {form: boolF, says: "Whether the sentence is served."},
			"min_release":   {form: dateF, says: "Earliest day of release."},
			"max_release":   {form: dateF, says: "Latest day of release."},
			"probation_end": {form: dateF, says: "Day on which probation ends."},
		},
	},
}

// personFields are the fields of a person's name and birth, which all kinds of sources have.
var personFields = map[string]target{
	"last":       {says: "Surname, where it has a field of its own."},
	"first":      {says: "First name."},
	"middle":     {says: "Middle names."},
	"suffix":     {says: "Generation, such as Jr or III."},
	"dob":        {form: dateF, says: "Birth date; by a layout with the year alone it is a year of birth."},
	"birth_year": {form: wholeF, says: "Year of birth, where no date is stated."},
	"age":        {form: wholeF, says: "Age at the instant of the snapshot, however it is written."},
}

// caseKey are the fields by which a record names its case.
var caseKey = map[string]target{
	"county":     {says: "County of the row, by any spelling. Where the document names one, it must be that."},
	"court_type": {form: enumF, values: []string{"state", "superior", "magistrate", "warrants"}, need: true, says: "Which court it is."},
	"number":     {need: true, says: "Number of the case."},
	"party":      {says: "Which party the record is of, where a case has several defendants: the court's number, or the name. In a part of a case `*` is every party."},
}

// entityTexts says what each entity is.
var entityTexts = map[string]string{
	"roster.booking":       "One stay in jail.",
	"roster.person":        "The person booked.",
	"roster.charge":        "The charges of a booking.",
	"roster.release":       "A record that names a booking by its number alone and says that it ended.",
	"courts.case":          "A court case and its defendant.",
	"courts.charge":        "The charges of a case.",
	"courts.hearing":       "The hearings of a case.",
	"courts.disposition":   "The dispositions of a case, where they have records of their own.",
	"courts.judge":         "The judge of a case, where it has records of its own.",
	"courts.removal":       "A record that withdraws a hearing.",
	"corrections.offender": "A person in the care of the corrections department.",
	"corrections.sentence": "The sentences of an offender.",
}
