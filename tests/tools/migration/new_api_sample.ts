import { DatabaseSync } from "node:sqlite";

/** The 48 characters of a key, which new-api keeps in plain text without `sk-`. */
export const newApiKey = "Xq3v9TtLw0ZbA7uYc5RfH2kNs8dJ6mGp1EiOoVrWyQxUzPlC";
/** Its hash below has cost 4 and is of libxcrypt. */
export const bcryptPassword = "horse battery";
export const newApiSecrets = [newApiKey, "sk-upstream-1", "sk-upstream-2", "anthropic-key"];

/** The tables as GORM creates them in SQLite, from new-api's published models. */
const schema = `
CREATE TABLE \`channels\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`type\` integer DEFAULT 0,\`key\` text NOT NULL,\`open_ai_organization\` text,\`test_model\` text,\`status\` integer DEFAULT 1,\`name\` text,\`weight\` integer DEFAULT 0,\`created_time\` bigint,\`test_time\` bigint,\`response_time\` integer,\`base_url\` text DEFAULT "",\`other\` text,\`balance\` real,\`balance_updated_time\` bigint,\`models\` text,\`group\` varchar(64) DEFAULT "default",\`used_quota\` bigint DEFAULT 0,\`model_mapping\` text,\`status_code_mapping\` varchar(1024) DEFAULT "",\`priority\` bigint DEFAULT 0,\`auto_ban\` integer DEFAULT 1,\`other_info\` text,\`tag\` text,\`setting\` text,\`param_override\` text,\`header_override\` text,\`remark\` varchar(255),\`channel_info\` json,\`settings\` text);
CREATE TABLE \`users\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`username\` text UNIQUE,\`password\` text NOT NULL,\`display_name\` text,\`role\` int DEFAULT 1,\`status\` int DEFAULT 1,\`email\` text,\`github_id\` text,\`oidc_id\` text,\`wechat_id\` text,\`telegram_id\` text,\`access_token\` char(32),\`quota\` int DEFAULT 0,\`used_quota\` int DEFAULT 0,\`request_count\` int DEFAULT 0,\`group\` varchar(64) DEFAULT 'default',\`aff_code\` varchar(32),\`aff_count\` int DEFAULT 0,\`aff_quota\` int DEFAULT 0,\`aff_history\` int DEFAULT 0,\`inviter_id\` integer,\`deleted_at\` datetime,\`linux_do_id\` text,\`setting\` text,\`remark\` varchar(255),\`stripe_customer\` varchar(64),\`created_at\` integer,\`last_login_at\` integer DEFAULT 0);
CREATE TABLE \`tokens\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`user_id\` integer,\`key\` char(48),\`status\` integer DEFAULT 1,\`name\` text,\`created_time\` bigint,\`accessed_time\` bigint,\`expired_time\` bigint DEFAULT -1,\`remain_quota\` integer DEFAULT 0,\`unlimited_quota\` numeric,\`model_limits_enabled\` numeric,\`model_limits\` varchar(1024) DEFAULT "",\`allow_ips\` text DEFAULT "",\`used_quota\` integer DEFAULT 0,\`group\` text DEFAULT "",\`cross_group_retry\` numeric,\`deleted_at\` datetime);
CREATE TABLE \`options\` (\`key\` text,\`value\` text,PRIMARY KEY (\`key\`));
CREATE TABLE \`redemptions\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`key\` char(32),\`status\` integer DEFAULT 1,\`quota\` integer DEFAULT 100);
CREATE TABLE \`logs\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`content\` text);
`;

export const bcryptHash = "$2a$04$c8vxUQeJzL7cIyZAI4WQgOgRs1Tmxq4EaeWq.mYPBH1yxjWCKnALu";

const options: Readonly<Record<string, string>> = {
  ModelRatio: JSON.stringify({ "gpt-4o": 1.25, "claude-sonnet-4-5": 1.5, unserved: 9 }),
  CompletionRatio: JSON.stringify({ "gpt-4o": 4 }),
  CacheRatio: JSON.stringify({ "gpt-4o": 0.5 }),
  ModelPrice: JSON.stringify({ "dall-e-3": 0.04 }),
  GroupRatio: JSON.stringify({ default: 1, vip: 0.8, "企业": 2 }),
  UserUsableGroups: JSON.stringify({ default: "Everyone", vip: "VIP" }),
  SMTPToken: "smtp-secret-value",
  SystemName: "My API",
};

/** Makes a database of new-api with two channels in use, three users and four keys. */
export function makeNewApi(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(schema);
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) => {
    const names = Object.keys(row);
    const columns = names.map((name) => `"${name}"`).join(",");
    const places = names.map(() => "?").join(",");
    database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`)
      .run(...Object.values(row));
  };
  for (const [key, value] of Object.entries(options)) insert("options", { key, value });
  insert("channels", {
    type: 1,
    name: "main; 'quoted'",
    key: "sk-upstream-1\nsk-upstream-2",
    base_url: "https://api.openai.com",
    models: "gpt-4o,gpt-4,dall-e-3",
    group: "default,vip",
    model_mapping: '{"gpt-4":"gpt-4o"}',
    priority: 10,
    weight: 0,
    channel_info: '{"is_multi_key":true,"multi_key_status_list":{"1":2}}',
  });
  insert("channels", {
    type: 14,
    name: "claude",
    key: "anthropic-key",
    models: "claude-sonnet-4-5",
    group: "vip",
    status: 2,
    param_override: '{"temperature":0}',
  });
  insert("channels", { type: 33, name: "aws", key: "x|y|z", models: "nova", group: "default" });
  insert("users", {
    username: "root",
    password: bcryptHash,
    role: 100,
    email: "Root@Example.com",
    quota: 500_000,
    group: "default",
    created_at: 1_700_000_000,
  });
  insert("users", { username: "li", password: bcryptHash, quota: 1_250_001, group: "vip" });
  insert("users", {
    username: "left",
    password: bcryptHash,
    deleted_at: "2025-01-01 00:00:00",
    group: "default",
  });
  insert("tokens", {
    user_id: 2,
    key: newApiKey,
    name: "prod",
    unlimited_quota: 0,
    remain_quota: 250_000,
    model_limits_enabled: 1,
    model_limits: "gpt-4o,gpt-4",
    allow_ips: "203.0.113.7\n198.51.100.0/24",
    created_time: 1_700_000_100,
  });
  insert("tokens", {
    user_id: 1,
    key: "B".repeat(48),
    name: "auto",
    unlimited_quota: 1,
    group: "auto",
  });
  insert("tokens", { user_id: 1, key: "C".repeat(48), name: "spent", remain_quota: 0, status: 4 });
  insert("tokens", { user_id: 3, key: "D".repeat(48), name: "of a deleted user" });
  insert("redemptions", { key: "E".repeat(32), status: 1 });
  database.close();
}

/** The same keys and users as mysqldump writes them, with its escapes. */
export const newApiMysqlDump = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`logs\`;
CREATE TABLE \`logs\` (\`id\` bigint NOT NULL AUTO_INCREMENT, \`content\` longtext);
INSERT INTO \`logs\` VALUES (1,'it\\'s; a \\"log\\" -- no comment'),(2,NULL);
CREATE TABLE \`users\` (
  \`id\` bigint NOT NULL AUTO_INCREMENT,
  \`username\` varchar(191) DEFAULT NULL,
  \`password\` longtext NOT NULL,
  \`display_name\` varchar(191) DEFAULT 'a,b (c)',
  \`quota\` int DEFAULT '0',
  \`group\` varchar(64) DEFAULT 'default',
  \`deleted_at\` datetime(3) DEFAULT NULL,
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`username\` (\`username\`),
  KEY \`idx_users_display_name\` (\`display_name\`)
) ENGINE=InnoDB;
LOCK TABLES \`users\` WRITE;
INSERT INTO \`users\` VALUES (7,'o\\'neil','${bcryptHash}','L\\\\ine\\nbreak; ''two''',1500000,'default',NULL),(8,'张三','x','',-5,'default',NULL);
UNLOCK TABLES;
CREATE TABLE \`tokens\` (\`id\` bigint, \`user_id\` bigint, \`key\` char(48), \`name\` varchar(191), \`unlimited_quota\` tinyint(1));
INSERT INTO \`tokens\` (\`id\`, \`user_id\`, \`key\`, \`name\`, \`unlimited_quota\`) VALUES (1,7,_binary '${newApiKey}','k',1);
-- Dump completed on 2026-01-01  0:00:00
`;
