package flexdp.sql;

import java.util.List;

/** What FROM, or a part of it, gives: rows and names. */
record From(FromTree tree, List<Source> sources) {}
