import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { setProjectArchived } from "../../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { projectAt } from "../../../../../lib/console/projects/project_page.ts";

/** Restores a project, or archives one after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { projects: texts } = state.catalog;
    const { id } = await projectAt(params.id, state);
    return {
      page: texts.title,
      place: "projects",
      id: "archive",
      title: texts.archiveTitle(id),
      text: texts.archiveText,
      back: `/console/admin/projects/${id}`,
      cancel: texts.cancel,
      confirm: texts.archiveConfirm(id),
      field: { name: "archived", value: "true" },
    };
  },

  async submit(ctx, form) {
    const { id } = await projectAt(ctx.params.id, ctx.state);
    const isArchived = form.get("archived") === "true";
    await setProjectArchived(ctx, id, { isArchived });
    return seeOther(`/console/admin/projects/${id}?done=${isArchived ? "archived" : "restored"}`);
  },
});

export default QuestionPage;
